/** Scripts, each with the language assumed for texts in it. The first match wins. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Han}/u, "zh"],
  [/\p{Script=Cyrillic}/u, "ru"],
  [/\p{Script=Arabic}/u, "ar"],
  [/\p{Script=Hebrew}/u, "iw"],
  [/\p{Script=Thai}/u, "th"],
  [/\p{Script=Devanagari}/u, "hi"],
  [/\p{Script=Greek}/u, "el"],
  [/\p{Script=Latin}/u, "en"],
];

/** Returns the language tag of a text, by its script alone; `und` if no script matches. */
export function languageOf(text: string): string {
  return SCRIPTS.find(([script]) => script.test(text))?.[1] ?? "und";
}
