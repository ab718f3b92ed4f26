import type { z } from "zod";
import { dataOf } from "./answer.ts";
import type { Answer } from "./caller.ts";
import { isFields } from "./problem.ts";

/** What the advertising host understood of a request. */
export interface AdsRequest {
  /**
   * The request's parameters under their names on the wire, and the platform's `version_number` where a
   * conversion was recorded. Empty where the answer told none.
   */
  readonly params: Readonly<Record<string, unknown>>;
}

/** One object of the advertising interface, and the request as the platform understood it. */
export interface AdsAnswer<Item> {
  readonly data: Item;
  readonly request: AdsRequest;
}

/** Reads an answer that holds one object. @throws PlatformError, ProtocolError as `dataOf` does */
export function adsOne<Item>(answer: Answer, schema: z.ZodType<Item>): AdsAnswer<Item> {
  return { data: dataOf(answer, schema), request: adsRequestOf(answer) };
}

/** The echo of the request in an answer. */
export function adsRequestOf({ body }: Answer): AdsRequest {
  const request = isFields(body["request"]) ? body["request"] : {};
  return { params: isFields(request["params"]) ? request["params"] : {} };
}
