import type { HttpOutcome, HttpRequest } from "../../rules/run/http-request.ts";
import type { Log } from "../log.ts";

type SendRequest = (request: HttpRequest, timeoutMs: number | undefined) => Promise<HttpOutcome>;

/**
 * Wraps `send` for a dry run: sends GET and HEAD requests only. For other methods, it logs the request and returns a
 * 204.
 */
export function dryRequests(send: SendRequest, log: Log): SendRequest {
  return async (request, timeoutMs) => {
    const { method, url } = request;
    if (method === "GET" || method === "HEAD") return send(request, timeoutMs);
    log.info({ method, host: URL.parse(url)?.host }, `would request: ${method} ${url}`);
    return { ok: true, status: 204, text: "" };
  };
}
