import type { ExchangeHeaders } from "../kernel/delivery/exchange-log.ts";

/** Matches the names of secret fields in forms, queries, JSON and HTML. */
const SECRET =
  /^(password|x_auth_password|session\[password\]|oauth_token_secret|access_token_secret|token_secret|consumer_secret|client_secret|bearer_token|access_token|refresh_token|token|code|code_verifier|oauth_verifier|client_assertion|authenticity_token)$/i;

const NAMES = SECRET.source.slice(2, -2);
const IN_JSON = new RegExp(`("(?:${NAMES})"\\s*:\\s*")((?:[^"\\\\]|\\\\.)*)`, "gi");
const IN_HTML = new RegExp(`(name="(?:${NAMES})"\\s+value=")([^"]*)`, "gi");

/** Returns `…` and the last four characters of a secret; only `…` for a secret of fewer than 12 characters. */
export function hint(secret: string): string {
  return secret.length < 12 ? "…" : `…${secret.slice(-4)}`;
}

/** Returns a field's name and value. The value of a field such as `client_secret` is shortened by {@link hint}. */
export function shownField([name, value]: readonly [string, string]): readonly [string, string] {
  return [name, SECRET.test(name) ? hint(value) : value];
}

/** Returns a query, form, JSON or HTML text with its secrets shortened to their last four characters. */
export function shownText(text: string): string {
  const open = text.replace(IN_JSON, replaced).replace(IN_HTML, replaced);
  // Start of a form field: the beginning of the text, or one of these characters. Applied to every content type.
  return open.replace(/(^|[?&;#\s"'>])([^=?&;#\s"'<>]{1,100})=([^&#\s"'<>]+)/g, shownPair);
}

function replaced(_whole: string, before: string, secret: string): string {
  return before + hint(secret);
}

function shownPair(whole: string, before: string, name: string, value: string): string {
  return SECRET.test(decoded(name)) ? `${before}${name}=${hint(value)}` : whole;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}

/** Returns headers without credentials: an OAuth 1.0a header is shown without its secrets. */
export function shownHeaders(headers: ExchangeHeaders): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) shown[name] = shownHeader(name.toLowerCase(), value);
  }
  return shown;
}

function shownHeader(name: string, value: string | readonly string[]): string {
  const text = typeof value === "string" ? value : value.join(", ");
  if (name === "cookie" || name === "set-cookie") {
    return text.replace(/(^|;\s*|,\s*)([^=;,\s]+)=([^;,]*)/g, shownCookie);
  }
  if (name !== "authorization" && name !== "proxy-authorization") return shownText(text);
  if (/^oauth\s/i.test(text)) {
    return text.replace(/([\w%.\-[\]]+)="([^"]*)"/g, (whole, key: string, fieldValue: string) =>
      SECRET.test(decoded(key)) ? `${key}="${hint(fieldValue)}"` : whole,
    );
  }
  const [scheme = "", ...rest] = text.split(/\s+/);
  if (rest.length === 0) return hint(text);
  return `${scheme} ${/^basic$/i.test(scheme) ? shownBasic(rest.join(" ")) : hint(rest.join(" "))}`;
}

const COOKIE_WORDS = /^(path|max-age|expires|samesite|domain)$/i;

function shownCookie(whole: string, before: string, name: string, value: string): string {
  return COOKIE_WORDS.test(name) ? whole : `${before}${name}=${hint(value)}`;
}

/** Returns the credential of a Basic header as its user name and the last four characters of its password. */
function shownBasic(encoded: string): string {
  const [name = "", ...secret] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return secret.length === 0 ? "…" : `(${name}:${hint(secret.join(":"))})`;
}
