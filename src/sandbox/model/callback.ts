import { REFUSED_CALLBACK_PROTOCOLS } from "../../protocol/callbacks.ts";

const REFUSED: ReadonlySet<string> = new Set(REFUSED_CALLBACK_PROTOCOLS);

/**
 * Returns why `url` is not allowed in an app's callback allowlist, or `undefined` if it is.
 *
 * Source: "Callback URL rules" of the interface.
 */
export function callbackFault(url: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(url)) return `"${url}" contains white space; percent-encode it`;
  const protocol = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (protocol === undefined) return `"${url}" has no protocol, such as https:// or myapp://`;
  if (REFUSED.has(protocol)) return `the protocol ${protocol} of "${url}" is not allowed`;
  const [, host, path] = /^[^:]+:\/\/([^/?#]+)(\/[^?#]*)?/.exec(url) ?? [];
  if (host === undefined) return `"${url}" has no domain after ${protocol}://`;
  if (isLocalhost(host)) return `use http://127.0.0.1 in place of localhost in "${url}"`;
  if (!URL.canParse(url)) return `"${url}" is not a URL`;
  if (protocol === "http" || protocol === "https" || path !== undefined) return undefined;
  return `"${url}" needs a domain and a path, such as ${protocol}://${host}/callback`;
}

function isLocalhost(authority: string): boolean {
  const host = authority.replace(/^.*@/, "").replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase();
  return host === "localhost" || host.endsWith(".localhost");
}
