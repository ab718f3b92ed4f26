import { ADS_VERSION } from "../../interface/ads.ts";
import { Refusal } from "../kernel/refusal.ts";

/** One entry of `errors` in an advertising answer. */
export interface AdsError {
  readonly code: string;
  readonly message: string;
  readonly parameter?: string;
  readonly value?: string;
}

/** Headers of every advertising answer. */
export const VERSION_HEADERS = { "x-current-api-version": ADS_VERSION } as const;

/** An error of the advertising interface; `params` is what the request gave. */
export function adsRefusal(
  status: number,
  errors: readonly AdsError[],
  params: Readonly<Record<string, unknown>>,
): Refusal {
  const [first] = errors;
  return new Refusal({
    status,
    code: (first?.code ?? "INVALID_PARAMETER").toLowerCase(),
    message: first?.message ?? "A parameter is not valid.",
    raw: { errors, request: { params } },
    headers: VERSION_HEADERS,
  });
}

/** 404 of one missing entity. */
export function adsNotFound(
  code: string,
  what: string,
  parameter: string,
  params: Readonly<Record<string, string>>,
): Refusal {
  const value = params[parameter] ?? "";
  const message = `There is no ${what} ${value} in this account.`;
  return adsRefusal(404, [{ code, message, parameter, value }], params);
}
