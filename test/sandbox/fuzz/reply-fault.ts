import type { Draft } from "./requests.ts";
import type { Reply } from "./send.ts";

/** Describes how a response violates the platform's API; undefined if it does not. */
export function faultOf(draft: Draft, { status, type, text }: Reply): string | undefined {
  if (status === 0) return `no answer: ${text}`;
  if (status >= 500) return `status ${status}`;
  // Node's server refuses invalid HTTP before the sandbox sees it.
  if (text === "" && type === "" && (status === 400 || status === 417 || status === 431))
    return undefined;
  if (draft.method === "HEAD") return undefined;
  // Version 1.1 answers some writes without a body; version 2 never does.
  const isEmptyWrite = status === 204 || (status < 300 && /profile_banner\.json/.test(draft.path));
  if (isEmptyWrite && text === "" && draft.path.startsWith("/1.1/")) return undefined;
  return shapeFault(draft, status, type, text);
}

function shapeFault(draft: Draft, status: number, type: string, text: string): string | undefined {
  if (!/^application\/(problem\+)?json/.test(type)) {
    const pages = /oauth/.test(draft.path);
    return pages && text !== "" ? undefined : `content type ${type}`;
  }
  const body = parsed(text);
  // Version 1.1 answers some reads with a bare list; version 2 never does.
  if (Array.isArray(body) && status === 200 && draft.path.startsWith("/1.1/")) return undefined;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "not a JSON object";
  if (status < 400) return undefined;
  const keys = Object.keys(body);
  const has = (...names: string[]): boolean => names.every((name) => keys.includes(name));
  if (has("error", "error_description")) return undefined;
  if (draft.headers["host"] === "ads-api.example")
    return has("errors", "request") ? undefined : `keys ${keys.join()}`;
  if (draft.path.startsWith("/_sandbox")) return has("error") ? undefined : `keys ${keys.join()}`;
  if (draft.path.startsWith("/ads/"))
    return has("errors", "request") ? undefined : `keys ${keys.join()}`;
  if (/^\/(1\.1\/|oauth)/.test(draft.path))
    return has("errors") ? undefined : `keys ${keys.join()}`;
  return has("title", "detail", "type") ? undefined : `keys ${keys.join()}`;
}

/** Parses JSON; returns any other text unchanged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
