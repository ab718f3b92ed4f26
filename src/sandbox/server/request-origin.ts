import type { RequestHead } from "./read-caller.ts";

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?$/i;
const HOST = /^[a-z0-9.-]{1,253}(?::\d{1,5})?$/i;

/**
 * Returns the origin that the client used, from its `Host` header. Clients with another host reach the sandbox through something that
 * speaks TLS or stands in for it.
 *
 * @param baseUrl Origin for a request without a usable header.
 */
export function originOf({ headers }: Pick<RequestHead, "headers">, baseUrl: string): string {
  const host = headers["host"] ?? "";
  if (LOOPBACK.test(host)) return `http://${host}`;
  return HOST.test(host) ? `https://${host}` : baseUrl;
}

/** Returns the `WWW-Authenticate` header of a refused caller: the scheme that the request used, or else OAuth. */
export function challengeFor({ headers }: Pick<RequestHead, "headers">, origin: string): string {
  const { authorization = "" } = headers;
  const scheme = /^(?:bearer|basic)(?=\s)/i.exec(authorization)?.[0].toLowerCase();
  const name = scheme === "bearer" ? "Bearer" : scheme === "basic" ? "Basic" : "OAuth";
  return `${name} realm="${origin}"`;
}
