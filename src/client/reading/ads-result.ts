import type { z } from "zod";
import { dataOf } from "./response.ts";
import type { ApiResponse } from "../http/api-caller.ts";
import { isFields } from "../http/problem.ts";

/** A request as the advertising host interpreted it. */
export interface AdsRequest {
  /**
   * Parameters with the API's names, and the platform's `version_number` if a conversion was recorded. Empty if the
   * response has no parameters.
   */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Object of the advertising interface, and the request as the platform interpreted it. */
export interface AdsResult<Item> {
  readonly data: Item;
  readonly request: AdsRequest;
}

/** Reads a response that holds one object. @throws PlatformError, ProtocolError as `dataOf` does */
export function adsResult<Item>(answer: ApiResponse, schema: z.ZodType<Item>): AdsResult<Item> {
  return { data: dataOf(answer, schema), request: adsRequestOf(answer) };
}

/** Reads the request that the advertising host repeats in its response. */
export function adsRequestOf({ body }: ApiResponse): AdsRequest {
  const request = isFields(body["request"]) ? body["request"] : {};
  return { params: isFields(request["params"]) ? request["params"] : {} };
}
