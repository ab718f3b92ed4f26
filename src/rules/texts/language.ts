import type { View } from "../expression/view.ts";

/** Language tag of texts: `en`, `pt-BR`. */
export const LANGUAGE_TAG = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/**
 * Returns the language of the event's post as the platform detected it; undefined without a post, as for messages. The
 * value may be `und` or another code that is no language.
 */
export function languageOf(view: View): string | undefined {
  const post = memberOf(view, "post");
  const language = memberOf(post, "lang");
  return typeof language === "string" ? language : undefined;
}

/** Returns the key of the event that the expressions of a run read. */
export function eventKeyOf(view: View): string {
  const key = memberOf(memberOf(view, "event"), "key");
  return typeof key === "string" ? key : "";
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

/**
 * Returns the index of the best language for `wanted`: the same tag, else the same language in the same script (`zh-TW`
 * is `zh-Hant`), else the same language, else the first. Old codes,
 * which the platform reports, equal the new ones: `iw` is `he`.
 */
export function bestLanguage(wanted: string | undefined, offered: readonly string[]): number {
  if (wanted === undefined) return 0;
  const lower = offered.map(canonical);
  const tag = canonical(wanted);
  const exact = lower.indexOf(tag);
  if (exact >= 0) return exact;
  const [name = ""] = tag.split("-");
  const named = lower
    .map((one, index) => ({ one, index }))
    .filter(({ one }) => one.split("-")[0] === name);
  const script = scriptOf(tag);
  const inScript = named.filter(({ one }) => scriptOf(one) === script);
  const best = inScript.find(({ one }) => one === name) ?? inScript[0] ?? named[0];
  return best?.index ?? 0;
}

/** Returns the script in which a language is written, by its tag or its most likely region. */
function scriptOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().script;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the current code of a language in lower case. Norwegian has the code `no`, whatever its written form. */
function canonical(tag: string): string {
  const lower = tag.toLowerCase();
  try {
    return (Intl.getCanonicalLocales(tag)[0] ?? lower).toLowerCase().replace(/^n[bn]\b/, "no");
  } catch (error) {
    if (error instanceof RangeError) return lower;
    throw error;
  }
}
