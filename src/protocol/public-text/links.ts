import { topLevelDomainAt } from "./top-level-domains.ts";

/** A range of a text in UTF-16 units; `end` is exclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
}

export const LATIN_ACCENTS =
  "\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u00ff\\u0100-\\u024f\\u0253\\u0254\\u0256\\u0257\\u0259\\u025b\\u0263\\u0268\\u026f\\u0272\\u0289\\u028b\\u02bb\\u0300-\\u036f\\u1e00-\\u1eff";

/** Runs of characters that may be the host of a link, in any script. */
const HOSTS = /[^\s!-,/:-@[-^`{-~\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]+/g;
const ASCII_HOSTS = new RegExp(`[A-Za-z0-9._${LATIN_ACCENTS}-]+`, "g");
const PROTOCOL = /https?:\/\/$/i;
/** Length in UTF-16 units of the longest protocol. */
const PROTOCOL_LENGTH = 8;
/** Characters that prevent a link directly after them. */
const NO_LINK_AFTER = /[A-Za-z0-9@＠$#＃\ufeff\ufffe\uffff]$/;
const NO_BARE_LINK_AFTER = /[A-Za-z0-9@＠$#＃\ufeff\ufffe\uffff_./-]$/;
/** Characters that prevent a domain directly before them. */
const NO_DOMAIN_BEFORE = /^[0-9A-Za-z@+-]/;
const SHORT_ADDRESS = /^https?:\/\/t\.co\/(?<slug>[a-z0-9]+)/i;
const MAX_SLUG_CHARS = 40;

/**
 * Finds the links of a public text: with `http://` or `https://`, or a bare domain under a known top-level domain.
 * Takes time linear in the length of the text.
 */
export function linksIn(text: string): readonly Range[] {
  if (!text.includes(".")) return [];
  const links: Range[] = [];
  for (const { 0: host, index } of text.matchAll(HOSTS)) {
    if (!host.includes(".")) continue;
    const protocol = PROTOCOL.exec(text.slice(Math.max(0, index - PROTOCOL_LENGTH), index))?.[0];
    if (protocol !== undefined && index >= (links.at(-1)?.end ?? 0)) {
      links.push(...fullLink(text, index, host, protocol));
    }
    // In scripts without spaces, another link may follow within the same word.
    const from = Math.max(index, links.at(-1)?.end ?? 0);
    const isRefused = protocol !== undefined && from === index;
    if (!isRefused && from < index + host.length) {
      links.push(...bareLinks(text, from, host.slice(from - index)));
    }
  }
  return links;
}

function fullLink(text: string, at: number, host: string, protocol: string): readonly Range[] {
  const start = at - protocol.length;
  if (NO_LINK_AFTER.test(text.charAt(start - 1))) return [];
  const domain = domainIn(text, at, host, true);
  if (domain === undefined) return [];
  const end = endOfLink(text, domain);
  const short = SHORT_ADDRESS.exec(text.slice(start, end));
  if (!short) return [{ start, end }];
  const { slug = "" } = short.groups ?? {};
  if (slug.length > MAX_SLUG_CHARS) return [];
  const rest = text.charAt(start + short[0].length);
  return [{ start, end: rest === "?" ? end : start + short[0].length }];
}

/** Finds domains without a protocol. These have ASCII letters only, and letters of other scripts may adjoin them. */
function bareLinks(text: string, at: number, host: string): readonly Range[] {
  const links: Range[] = [];
  for (const { 0: run, index } of host.matchAll(ASCII_HOSTS)) {
    const start = at + index;
    if (NO_BARE_LINK_AFTER.test(text.charAt(start - 1))) continue;
    const domain = domainIn(text, start, run, false);
    if (domain !== undefined) links.push({ start, end: endOfLink(text, domain) });
  }
  return links;
}

/** Maximum length of a label of a domain: RFC 1035, section 2.3.4. */
const MAX_LABEL_CHARS = 63;

/** Returns the length of a domain's label in Punycode, by RFC 3492. */
function encodedLength(label: string): number {
  if (/^[\0-\x7f]*$/.test(label)) return label.length;
  try {
    return new URL(`http://${label}`).hostname.length;
  } catch {
    return Infinity;
  }
}

/** Matches invalid labels: with `_` or `-` at an end, or with the Punycode prefix `xn--` but not in ASCII. */
const NO_LABEL = /^[_-]|[_-]$|^xn--.*[^\0-\x7f]/;

/** End of the domain that begins at `at`, after its last top-level domain; undefined if there is none. */
function domainIn(text: string, at: number, host: string, isFull: boolean): number | undefined {
  let end: number | undefined;
  let labelAt = 0;
  for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
    const label = host.slice(labelAt, dot);
    if (label === "" || NO_LABEL.test(label) || encodedLength(label) > MAX_LABEL_CHARS) return end;
    const rest = at + dot + 1;
    const length = label.includes("_") ? 0 : topLevelDomainAt(text, rest, NO_DOMAIN_BEFORE, isFull);
    if (length > 0) end = rest + length;
    labelAt = dot + 1;
  }
  return end;
}

const PATH_CHARACTER = new RegExp(
  `[a-z0-9!*';:=+,.$/%#[\\]\\-_~@|&\u2013\u0400-\u04ff${LATIN_ACCENTS}]`,
  "iu",
);
const PATH_END = new RegExp(`[a-z0-9=_#/+\\-\u0400-\u04ff${LATIN_ACCENTS}]`, "iu");
const QUERY = /\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*[a-z0-9\-_&=#/]/iy;

function endOfLink(text: string, domain: number): number {
  const port = /^:\d+/.exec(text.slice(domain, domain + 6))?.[0] ?? "";
  let end = domain + port.length;
  if (text[end] === "/") end = endOfPath(text, end);
  QUERY.lastIndex = end;
  const query = QUERY.exec(text)?.[0] ?? "";
  return end + query.length;
}

/** Maximum UTF-16 units of a part in parentheses in a path; bounds the search for the closing parenthesis. */
const MAX_GROUP_LENGTH = 500;

/** End of a path after its last valid end character; parentheses must be balanced. */
function endOfPath(text: string, slash: number): number {
  let end = slash + 1;
  const open: number[] = [];
  for (let at = slash + 1; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (at - (open[0] ?? at) > MAX_GROUP_LENGTH) return end;
    if (character === "(") open.push(at);
    else if (character === ")") {
      if (open.pop() === undefined) return end;
      if (open.length === 0) end = at + 1;
    } else if (!PATH_CHARACTER.test(character)) return end;
    else if (open.length === 0 && PATH_END.test(character)) end = at + 1;
  }
  return end;
}
