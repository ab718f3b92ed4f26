import { REFUSED_CALLBACK_PROTOCOLS } from "../../interface/callbacks.ts";

const REFUSED: ReadonlySet<string> = new Set(REFUSED_CALLBACK_PROTOCOLS);

/** Why `url` may not stand in an app's callback allowlist, or nothing where it may. */
export function callbackFault(url: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/(.+)$/i.exec(url);
  if (scheme === null) return `"${url}" is not a URL with a protocol, a domain and a path`;
  const protocol = (scheme[1] ?? "").toLowerCase();
  if (REFUSED.has(protocol)) return `the protocol ${protocol} is not allowed`;
  const host = (scheme[2] ?? "").split(/[/?#:]/)[0]?.toLowerCase();
  if (host === "localhost") return `use http://127.0.0.1 in place of localhost in "${url}"`;
  return URL.canParse(url) ? undefined : `"${url}" is not a URL`;
}
