import type { View } from "../expression/view.ts";

/** A language as texts name it: `en`, `pt-BR`. */
export const LANGUAGE_TAG = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/**
 * The language of what a person wrote, as the platform tells it; of messages it tells none. `und` and other
 * marks that are no language are among what it says.
 */
export function languageOf(view: View): string | undefined {
  const post = memberOf(view, "post");
  const language = memberOf(post, "lang");
  return typeof language === "string" ? language : undefined;
}

/** The key of the event that expressions see. */
export function eventKeyOf(view: View): string {
  const key = memberOf(memberOf(view, "event"), "key");
  return typeof key === "string" ? key : "";
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

/** The place of the language that fits `wanted` best: itself, else one of the same name, else the first. */
export function bestLanguage(wanted: string | undefined, offered: readonly string[]): number {
  if (wanted === undefined) return 0;
  const lower = offered.map((one) => one.toLowerCase());
  const exact = lower.indexOf(wanted.toLowerCase());
  if (exact >= 0) return exact;
  const [name = ""] = wanted.toLowerCase().split("-");
  const named = lower.indexOf(name);
  return Math.max(0, named >= 0 ? named : lower.findIndex((one) => one.split("-")[0] === name));
}
