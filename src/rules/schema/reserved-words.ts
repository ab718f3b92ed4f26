/** Words reserved for later versions. The compiler rejects them, with the reason. */
const RESERVED: Readonly<
  Record<"file" | "step" | "operator" | "field" | "trigger", readonly string[]>
> = {
  file: ["defaults", "include"],
  step: ["choose"],
  operator: ["normalize"],
  field: ["user", "match", "answer"],
  trigger: ["timer", "webhook"],
};

/** Help line below the error about a reserved word. */
export const NOT_YET = "remove it; it comes with a later version";

/** Returns the error message if `word` is reserved in this part of a rule file (`place`), otherwise `undefined`. */
export function reservedWord(place: keyof typeof RESERVED, word: string): string | undefined {
  return RESERVED[place].includes(word) ? `this version has no "${word}" yet` : undefined;
}
