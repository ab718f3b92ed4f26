import { ADS_VERSION } from "../../protocol/ads.ts";
import { ApiError } from "../kernel/http/api-error.ts";

/** Entry of `errors` in an advertising response. */
export interface AdsErrorEntry {
  readonly code: string;
  readonly message: string;
  readonly parameter?: string;
  readonly value?: string;
}

/** Headers of every advertising response. */
export const VERSION_HEADERS = { "x-current-api-version": ADS_VERSION } as const;

/** Creates an error of the advertising interface. `params`: parameters of the request, which the body repeats. */
export function adsError(
  status: number,
  errors: readonly AdsErrorEntry[],
  params: Readonly<Record<string, unknown>>,
): ApiError {
  const [first] = errors;
  return new ApiError({
    status,
    code: (first?.code ?? "INVALID_PARAMETER").toLowerCase(),
    message: first?.message ?? "A parameter is not valid.",
    raw: { errors, request: { params } },
    headers: VERSION_HEADERS,
  });
}

/** Creates the error 404 for one missing entity. */
export function adsNotFound(
  code: string,
  what: string,
  parameter: string,
  params: Readonly<Record<string, string>>,
): ApiError {
  const value = params[parameter] ?? "";
  const message = `There is no ${what} ${value} in this account.`;
  return adsError(404, [{ code, message, parameter, value }], params);
}
