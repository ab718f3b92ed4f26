import { UsageError } from "../../errors.ts";
import { LoginError } from "../errors.ts";

/**
 * Callback address that the user's browser requested: a whole URL, a path with its query, or the query as
 * `URLSearchParams`.
 */
export type Callback = string | URL | URLSearchParams;

/**
 * Returns the verifier of an OAuth 1.0a callback, after a check that the callback belongs to this log-in.
 *
 * @throws LoginError
 */
export function verifierIn(callback: Callback, requestToken: string): string {
  const params = paramsOf(callback);
  const denied = params.get("denied");
  if (denied === requestToken) {
    throw new LoginError("the user refused", { reason: "denied" });
  }
  if (denied !== null || params.get("oauth_token") !== requestToken) {
    throw new LoginError("the callback is for another log-in than the one started here", {
      reason: "token-mismatch",
      hint: "keep each pending log-in in the session of the browser that started it",
    });
  }
  const verifier = params.get("oauth_verifier");
  if (verifier === null || verifier === "") {
    throw new LoginError("the callback has no oauth_verifier", { reason: "verifier-missing" });
  }
  return verifier;
}

/**
 * Returns the code of an OAuth 2.0 callback, after a check that the callback belongs to this log-in.
 *
 * @throws LoginError
 */
export function codeIn(callback: Callback, state: string): string {
  const params = paramsOf(callback);
  if (params.get("state") !== state) {
    throw new LoginError("the callback is for another log-in than the one started here", {
      reason: "state-mismatch",
      hint: "keep each pending log-in in the session of the browser that started it",
    });
  }
  const error = params.get("error");
  if (error !== null) {
    const denied = error === "access_denied";
    const words = denied ? "the user refused" : `the platform answered ${error}`;
    throw new LoginError(words, { reason: denied ? "denied" : "refused" });
  }
  const code = params.get("code");
  if (code === null || code === "") {
    throw new LoginError("the callback has no code", { reason: "verifier-missing" });
  }
  return code;
}

/**
 * Returns the query parameters of a callback. A text is a whole URL, or a path with its query as in a web server's
 * request.
 */
function paramsOf(callback: Callback): URLSearchParams {
  if (callback instanceof URLSearchParams) return callback;
  if (callback instanceof URL) return callback.searchParams;
  const question = callback.indexOf("?");
  if (question < 0) {
    throw new UsageError("the callback has no query", {
      hint: "give the whole URL that the browser came back with, or its URLSearchParams",
    });
  }
  return new URLSearchParams(
    callback
      .slice(question + 1)
      .replace(/#.*/s, "")
      .trim(),
  );
}
