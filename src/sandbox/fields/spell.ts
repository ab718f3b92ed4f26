import { BODY_WORDS, DATA_WORDS, type Dialect } from "../../interface/dialects.ts";

/** A parameter, field or expansion as a caller of `dialect` writes it. */
export function spell(word: string, dialect: Dialect): string {
  return dialect === "post" ? word : (DATA_WORDS[word] ?? word);
}

/** A path into a request body as a caller of `dialect` writes it. */
export function spellPath(path: readonly PropertyKey[], dialect: Dialect): string {
  return path
    .map(String)
    .map((part) => (dialect === "post" ? part : (BODY_WORDS[part] ?? part)))
    .join(".");
}
