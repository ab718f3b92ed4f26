import type { Json } from "../../protocol/json.ts";

/** Methods of the step `http`. */
export const HTTP_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** HTTP request that a rule's step `http` sends to a service. */
export interface HttpRequest {
  readonly method: (typeof HTTP_METHODS)[number];
  readonly url: string;
  /** Headers by name in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Statuses that count as success; absent: 200 to 299. */
  readonly expectStatus?: readonly number[];
  /** Parts that contain secrets; absent if there are none. */
  readonly secret?: SecretParts;
}

/** Parts of a request that contain secrets. */
export interface SecretParts {
  /** URL as the rule writes it, if it contains a secret. It is shown in place of the real URL. */
  readonly url?: string;
  /** Names of headers, in small letters. */
  readonly headers: readonly string[];
  readonly body: boolean;
}

/** Outcome of a request to a service. */
export type HttpOutcome =
  | ({ readonly ok: true } & HttpAnswer)
  | ({ readonly ok: false; readonly code: string; readonly error: string } & Partial<HttpAnswer>);

/** Response of a service. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** The text parsed as JSON; absent if it is not JSON. */
  readonly json?: Json;
  /** Pause in milliseconds that the service asks for before another attempt. */
  readonly retryAfterMs?: number;
}

/** Returns the outcome of a response: a failure if `request` does not expect its status. */
export function outcomeOfAnswer({ expectStatus }: HttpRequest, answer: HttpAnswer): HttpOutcome {
  const { status } = answer;
  const isExpected =
    expectStatus === undefined ? status >= 200 && status < 300 : expectStatus.includes(status);
  if (isExpected) return { ok: true, ...answer };
  return { ok: false, code: "http-status", error: `answered with ${status}`, ...answer };
}
