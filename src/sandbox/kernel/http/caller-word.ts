import { BODY_WORDS, DATA_WORDS, type Dialect } from "../../../protocol/dialects.ts";

/** A parameter, field, expansion or key of a body as a caller of `dialect` writes it. */
export function toCallerWord(word: string, dialect: Dialect): string {
  return dialect === "post" ? word : (DATA_WORDS[word] ?? BODY_WORDS[word] ?? word);
}
