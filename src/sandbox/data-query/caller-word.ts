import { DATA_WORDS, type Dialect } from "../../protocol/dialects.ts";

/** A parameter, field or expansion as a caller of `dialect` writes it. */
export function toCallerWord(word: string, dialect: Dialect): string {
  return dialect === "post" ? word : (DATA_WORDS[word] ?? word);
}
