import { ApiError } from "../../kernel/http/api-error.ts";

/** Error codes of RFC 6749 that the sandbox returns. */
export type OAuth2ErrorCode =
  | "access_denied"
  | "invalid_request"
  | "invalid_scope"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type";

/** Creates the error `{error, error_description}` as JSON. */
export function oauth2Error(
  error: OAuth2ErrorCode,
  description: string,
  status: 400 | 401 | 403 = 400,
): ApiError {
  return new ApiError({
    status,
    code: error,
    message: description,
    raw: { error, error_description: description },
    headers: { "cache-control": "no-store" },
  });
}
