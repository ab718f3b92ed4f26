import { UsageError } from "../../errors.ts";
import { LoginError } from "../errors.ts";

/** The address that a user's browser came back with: whole, as a path with its query, or its query. */
export type Callback = string | URL | URLSearchParams;

/** The verifier of OAuth 1.0a in a callback, checked against the log-in that was begun. @throws LoginError */
export function verifierIn(callback: Callback, requestToken: string): string {
  const params = paramsOf(callback);
  if (params.has("denied")) {
    throw new LoginError("the user refused", { reason: "denied" });
  }
  if (params.get("oauth_token") !== requestToken) {
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

/** The code of OAuth 2.0 in a callback, checked against the log-in that was begun. @throws LoginError */
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

/** The query of a callback: of a whole URL, or of a path as a web server sees it. */
function paramsOf(callback: Callback): URLSearchParams {
  if (callback instanceof URLSearchParams) return callback;
  if (callback instanceof URL) return callback.searchParams;
  const question = callback.indexOf("?");
  if (question < 0) {
    throw new UsageError("the callback has no query", {
      hint: "give the whole URL that the browser came back with, or its URLSearchParams",
    });
  }
  return new URLSearchParams(callback.slice(question + 1));
}
