/** Words of the language that this version doesn't have: refused by name, never ignored. */
const RESERVED: Readonly<
  Record<"file" | "step" | "operator" | "field" | "trigger", readonly string[]>
> = {
  file: ["defaults", "include"],
  step: ["choose"],
  operator: ["normalize"],
  field: ["user", "match", "answer"],
  trigger: ["timer", "webhook"],
};

/** What to do about such a word. */
export const NOT_YET = "remove it; it comes with a later version";

/** A sentence for a word of the language that is not in this version, else `undefined`. */
export function reservedWord(place: keyof typeof RESERVED, word: string): string | undefined {
  return RESERVED[place].includes(word) ? `this version has no "${word}" yet` : undefined;
}
