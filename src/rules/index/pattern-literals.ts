/**
 * Returns texts of which every match of an RE2 pattern contains at least one; `undefined` if none is certain.
 *
 * They occur in the {@link patternForm} of the text, which maps letters that a pattern treats as equal to the same letter.
 */
export function literalsOf(source: string): readonly string[] | undefined {
  try {
    const reader = new Reader(source);
    const literalTexts = alternatives(reader);
    return reader.atEnd ? literalTexts?.map(patternForm) : undefined;
  } catch (error) {
    if (error instanceof Unread) return undefined;
    throw error;
  }
}

const ASCII = /^[ -~\n\r\t]*$/;

/** Maps letters that differ only in case to the same letter. `ς` at a word's end becomes `σ`, too. */
export function patternForm(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.replaceAll("ẞ", "ß").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Error: the pattern has syntax that this reader does not support. */
class Unread extends Error {}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  /** Matches `expression`, which is sticky, at the current position, and moves past the match. */
  take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const tokenMatch = expression.exec(this.#source);
    if (tokenMatch === null) return undefined;
    this.#at += tokenMatch[0].length;
    return tokenMatch;
  }
}

type Literals = readonly string[] | undefined;

function alternatives(reader: Reader): Literals {
  const sequences = [sequence(reader)];
  while (reader.take(/\|/y)) sequences.push(sequence(reader));
  return sequences.every((one) => one !== undefined) ? sequences.flat() : undefined;
}

/** Returns the literals of one piece in a sequence: those whose shortest is longest, since few texts contain them. */
function sequence(reader: Reader): Literals {
  let best: Literals;
  let run = "";
  const offer = (literals: Literals): void => {
    if (literals !== undefined && shortest(literals) > shortest(best)) best = literals;
  };
  const endRun = (): void => {
    if (run !== "") offer([run]);
    run = "";
  };
  while (!reader.atEnd) {
    if (reader.take(ZERO_WIDTH)) continue;
    const piece = nextPiece(reader);
    if (piece === undefined) break;
    const repeat = reader.take(REPEAT);
    const mayBeAbsent = repeat !== undefined && /^(?:[*?]|\{0)/.test(repeat[0]);
    if (piece.literal !== undefined && !mayBeAbsent) run += piece.literal;
    if (piece.literal === undefined || repeat !== undefined) endRun();
    if (piece.inside !== undefined && !mayBeAbsent) offer(piece.inside);
  }
  endRun();
  return best;
}

function shortest(literals: Literals): number {
  return literals === undefined ? 0 : Math.min(...literals.map((one) => one.length));
}

/** Matches syntax without width: the literals around it are adjacent. */
const ZERO_WIDTH = /\\[bBAz]|[\^$]|\(\?[imsU]*(?:-[imsU]+)?\)/y;
const REPEAT = /(?:[*+?]|\{\d+(?:,\d*)?\})[?+]?/y;
const GROUP = /\((?:\?(?:P?<\w+>|[imsU]*(?:-[imsU]+)?:))?/y;
const CLASS = /\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]/y;
const ANY_CHARACTER =
  /\.|\\[dDwWsS]|\\[pP](?:\{\^?\w+\}|\w)|\\[ntrfva]|\\x(?:\{[\dA-Fa-f]+\}|[\dA-Fa-f]{2})/y;
const ESCAPED = /\\([^\w\s])/uy;
const PLAIN = /[^\\[\](){}|*+?.^$]/uy;

interface Piece {
  /** The piece is this character. */
  readonly literal?: string;
  /** The piece contains one of these texts. */
  readonly inside?: Literals;
}

/** Reads the next piece. Returns `undefined` at the end of a sequence. */
function nextPiece(reader: Reader): Piece | undefined {
  const plain = reader.take(PLAIN) ?? reader.take(/[{}](?!\d)/y);
  if (plain) return { literal: plain[0] };
  const escaped = reader.take(ESCAPED)?.[1];
  if (escaped !== undefined) return { literal: escaped };
  if (reader.take(ANY_CHARACTER) ?? reader.take(CLASS)) return {};
  if (reader.take(GROUP)) {
    const inside = alternatives(reader);
    if (!reader.take(/\)/y)) throw new Unread();
    return { inside };
  }
  if (reader.take(/(?=[|)])/y)) return undefined;
  throw new Unread();
}
