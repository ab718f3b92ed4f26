import type { Json } from "../../protocol/json.ts";

/** Methods that the step `http` knows. */
export const HTTP_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** A request to a service, as a step asks for it. */
export interface HttpRequest {
  readonly method: (typeof HTTP_METHODS)[number];
  readonly url: string;
  /** By name in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Any other status is a failure; absent: 200 to 299 are none. */
  readonly expectStatus?: readonly number[];
  /** Parts that are made of secrets; absent: none are. */
  readonly secret?: SecretParts;
}

/** Parts of a request that are made of secrets. */
export interface SecretParts {
  /** The URL as the rule writes it, where a secret is in it: shown in place of the URL. */
  readonly url?: string;
  /** Names of headers, in small letters. */
  readonly headers: readonly string[];
  readonly body: boolean;
}

/** What a request to a service came to. */
export type HttpOutcome =
  | ({ readonly ok: true } & HttpAnswer)
  | ({ readonly ok: false; readonly code: string; readonly error: string } & Partial<HttpAnswer>);

/** The answer of a service. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** Absent where the text is no JSON. */
  readonly json?: Json;
}

/** What an answer comes to: a failure where its status is not one that `request` expects. */
export function outcomeOfAnswer({ expectStatus }: HttpRequest, answer: HttpAnswer): HttpOutcome {
  const { status } = answer;
  const isExpected =
    expectStatus === undefined ? status >= 200 && status < 300 : expectStatus.includes(status);
  if (isExpected) return { ok: true, ...answer };
  return { ok: false, code: "http-status", error: `answered with ${status}`, ...answer };
}
