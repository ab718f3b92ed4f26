import type { HttpOutcome, HttpRequest } from "../../rules/run/http-request.ts";
import type { Log } from "../log.ts";

/** Sends a request of a rule. */
type SendRequest = (request: HttpRequest, timeoutMs: number | undefined) => Promise<HttpOutcome>;

/** Asks services what only reads, and leaves what may change something: it comes to 204, an empty answer. */
export function dryRequests(send: SendRequest, log: Log): SendRequest {
  return async (request, timeoutMs) => {
    const { method, url } = request;
    if (method === "GET" || method === "HEAD") return send(request, timeoutMs);
    log.info({ method, host: URL.parse(url)?.host }, `would ask: ${method} ${url}`);
    return { ok: true, status: 204, text: "" };
  };
}
