const ASCII = /^[ -~\n\r\t]*$/;
const WORD_PART = /[\p{L}\p{N}_]/u;

/** Text as the language compares it: compatibility forms unified (NFKC) and in lower case. */
export function fold(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : text.normalize("NFKC").toLowerCase();
}

/** Does `word` stand in `text` with no letter, digit or underscore touching it? */
export function containsWord(text: string, word: string): boolean {
  if (word === "") return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!touches(text, at, word) && !touchesAfter(text, at + word.length, word)) return true;
  }
  return false;
}

function touches(text: string, at: number, word: string): boolean {
  return at > 0 && isWordPart(lastCharacter(text, at)) && isWordPart(firstCharacter(word, 0));
}

function touchesAfter(text: string, end: number, word: string): boolean {
  if (end >= text.length) return false;
  return isWordPart(firstCharacter(text, end)) && isWordPart(lastCharacter(word, word.length));
}

function isWordPart(character: string): boolean {
  return WORD_PART.test(character);
}

function firstCharacter(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** The character that ends at `end`, a surrogate pair whole. */
function lastCharacter(text: string, end: number): string {
  const unit = text.charCodeAt(end - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff && end > 1;
  return firstCharacter(text, isLow ? end - 2 : end - 1);
}
