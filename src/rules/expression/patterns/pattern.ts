import { RE2JS, RE2Set } from "re2js";
import { tidy } from "../../../text/fold.ts";
import { helpForPattern, type PatternFault, slashesAround } from "./pattern-help.ts";
import {
  asksForBoundary,
  forMarkedText,
  marked,
  unmarkedLength,
  withUnicodeClasses,
} from "./unicode-pattern.ts";

/** A pattern that can be asked whether it stands in a text; linear in the text's length. */
export interface Pattern {
  readonly source: string;
  /** Names of its named groups. */
  readonly groups: readonly string[];
  test(text: string): boolean;
  /** Finds the places of the named groups in the text. A group that took no part is absent. `undefined`: no match. */
  spans(text: string): Readonly<Record<string, GroupPlace>> | undefined;
}

/** A part of a text: indexes of its first UTF-16 unit and of the unit behind its last. */
export interface GroupPlace {
  readonly start: number;
  readonly end: number;
}

/** A program of 200 instructions takes some 3 ms for a message of 10,000 characters. */
const MAX_INSTRUCTIONS = 200;
/** What its named groups hold takes up to 36 ms with 100 instructions, where repetitions stand in repetitions. */
const MAX_INSTRUCTIONS_WITH_GROUPS = 120;

/**
 * Compiles an RE2 pattern, or says what it can't have.
 *
 * @param cased Search the text as it came, case counting. Else the pattern is written for tidy text:
 * curly quotes and the like stand for their plain forms in it, too.
 */
export function compilePattern(source: string, cased: boolean): Pattern | PatternFault {
  const refused = backtracking(source) ?? (cased ? boundaryInLines(source) : neverThere(source));
  if (refused) return refused;
  try {
    const machine = machineFor(source, cased);
    const groups = Object.keys(machine.namedGroups());
    const most = groups.length > 0 ? MAX_INSTRUCTIONS_WITH_GROUPS : MAX_INSTRUCTIONS;
    const instructions = machine.programSize();
    if (instructions > most) return tooLong(source, instructions, most);
    return new Re2Pattern(source, cased, groups);
  } catch (error) {
    const reason = error instanceof Error ? withoutPrefix(error.message, source) : "";
    const part = /`(.*)`$/s.exec(reason)?.[1] ?? source;
    return {
      mistake: {
        code: "regex-syntax",
        message: `this pattern can't be read: ${reason}`,
        help: helpForPattern(reason, part),
      },
      offset: Math.max(0, source.indexOf(part)),
      length: Math.max(1, part.length),
    };
  }
}

/** @throws What RE2 says of a pattern that it can't read. */
function machineFor(source: string, cased: boolean, form: EngineForm = "plain"): RE2JS {
  return RE2JS.compile(engineSource(source, cased, form), cased ? 0 : RE2JS.CASE_INSENSITIVE);
}

/**
 * Which program searches a text: the pattern's own for ASCII text, where that means the same and is faster; one with
 * classes of Unicode; or one for a marked text, where the pattern also asks for boundaries of words.
 */
type EngineForm = "plain" | "unicode" | "marked";

/** The pattern as the engine gets it. */
function engineSource(source: string, cased: boolean, form: EngineForm): string {
  const plain = cased ? source : plainLetters(source);
  if (form === "plain") return plain;
  const wide = withUnicodeClasses(plain);
  return form === "unicode" ? wide : forMarkedText(wide);
}

/** A text in which classes of ASCII and of Unicode are the same. */
export function isPlainText(text: string): boolean {
  return /^[ -~\n\r\t]*$/.test(text);
}

/** Nobody asks what a group without a name holds, and to remember it takes half as long again. */
function withoutUnnamedGroups(source: string): string {
  if (source.includes("\\Q")) return source;
  return source.replaceAll(/\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\((?!\?)/gsu, (token) =>
    token === "(" ? "(?:" : token,
  );
}

/**
 * A pattern that was found to be right. Its program is made again when it is first needed: it takes some 20 KiB,
 * and most patterns have a literal that is in no message.
 */
class Re2Pattern implements Pattern {
  readonly source: string;
  readonly groups: readonly string[];
  readonly #cased: boolean;
  readonly #literal: Literal | undefined;
  /** How texts are searched that are not ASCII. */
  readonly #wide: EngineForm;
  readonly #machines = new Map<EngineForm, RE2JS>();
  readonly #automata = new Map<EngineForm, RE2Set>();

  constructor(source: string, cased: boolean, groups: readonly string[]) {
    this.source = source;
    this.groups = groups;
    this.#cased = cased;
    this.#literal = literalIn(source, cased);
    this.#wide = asksForBoundary(source)
      ? "marked"
      : withUnicodeClasses(source) === source
        ? "plain"
        : "unicode";
  }

  test(text: string): boolean {
    if (this.#literal !== undefined && !mayStandIn(text, this.#literal)) return false;
    const form = this.#formFor(text);
    const searched = form === "marked" ? marked(text) : text;
    if (text.length <= LONG) return this.#machine(form).matcher(searched).find();
    let automaton = this.#automata.get(form);
    automaton ??= automatonFor(engineSource(this.source, this.#cased, form), this.#cased);
    this.#automata.set(form, automaton);
    return automaton.match(searched).length > 0;
  }

  spans(text: string): Readonly<Record<string, GroupPlace>> | undefined {
    const form = this.#formFor(text);
    const searched = form === "marked" ? marked(text) : text;
    const matcher = this.#machine(form).matcher(searched);
    if (!matcher.find()) return undefined;
    const place = (at: number): number =>
      form === "marked" ? unmarkedLength(searched.slice(0, at)) : at;
    const spans: Record<string, GroupPlace> = {};
    for (const name of this.groups) {
      const start = matcher.start(name);
      if (start >= 0) spans[name] = { start: place(start), end: place(matcher.end(name)) };
    }
    return spans;
  }

  #formFor(text: string): EngineForm {
    return this.#wide === "plain" || isPlainText(text) ? "plain" : this.#wide;
  }

  #machine(form: EngineForm): RE2JS {
    let machine = this.#machines.get(form);
    machine ??= machineFor(withoutUnnamedGroups(this.source), this.#cased, form);
    this.#machines.set(form, machine);
    return machine;
  }
}

/** Characters from which on a text is searched by an automaton, which is made for that: most texts are short. */
const LONG = 400;
/** Bytes that the states of an automaton may take; then it begins anew. */
const MEMORY = 262_144;

/**
 * What only tells whether a pattern matches. Where repetitions stand in repetitions, to find where it does takes up to
 * forty times as long.
 */
function automatonFor(source: string, cased: boolean): RE2Set {
  const flags = cased ? 0 : RE2JS.CASE_INSENSITIVE;
  const automaton = new RE2Set(RE2Set.UNANCHORED, flags, MEMORY);
  automaton.add(source);
  return automaton;
}

/** The engine writes the flag that makes case not count in front of the pattern. */
function withoutPrefix(message: string, source: string): string {
  const reason = message.replace(/^error parsing regexp: /, "");
  return source.startsWith("(?i)") ? reason : reason.replace("`(?i)", "`");
}

function tooLong(source: string, instructions: number, most: number): PatternFault {
  const message = `this pattern has ${instructions} instructions; at most ${most} keep any message quick to search`;
  const help = "shorten its {n,m} counts, or split it:  matches: ['…', '…']";
  return {
    mistake: { code: "regex-too-long", message, help },
    offset: 0,
    length: Math.max(1, source.length),
  };
}

/** Tidy text has no line breaks and tabs: a pattern that asks for one would match nothing, silently. */
function neverThere(source: string): PatternFault | undefined {
  const found = /(?<!\\)(?:\\\\)*(\\[nrtfv])/.exec(source);
  const token = found?.[1];
  if (!found || token === undefined) return undefined;
  return {
    mistake: {
      code: "regex-never-matches",
      message: `"${token}" is never in the text: a run of white space is one space`,
      help: "write \\s for white space, or add  cased: true  to search the text as it came",
    },
    offset: found.index + found[0].length - token.length,
    length: token.length,
  };
}

/** Boundaries of words are found in a text with marks, where no line begins behind a line break. */
function boundaryInLines(source: string): PatternFault | undefined {
  const lines = /\(\?[isU]*m[imsU]*(?:-[imsU]+)?[:)]/.exec(source);
  if (!lines || !asksForBoundary(source)) return undefined;
  return {
    mistake: {
      code: "regex-syntax",
      message: `"${lines[0]}" and a boundary of a word can't be in one pattern`,
      help: "write (?:^|\\W) before the word and (?:\\W|$) behind it in place of \\b",
    },
    offset: lines.index,
    length: lines[0].length,
  };
}

/** Pictures that are joined are one character. */
const CHARACTERS =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)*|./gsu;

/** The pattern with every character as tidy text has it; what becomes a sign of the syntax is escaped. */
export function plainLetters(source: string): string {
  let plain = "";
  for (const [character] of source.normalize("NFC").matchAll(CHARACTERS)) {
    const tidied = tidy(character);
    plain += tidied === character ? character : tidied.replaceAll(/[^\p{L}\p{N}\s]/gu, "\\$&");
  }
  return plain;
}

const LINEAR =
  "is not supported: patterns run in linear time (RE2), so no message can hang the bot";

/** Lookaround and back-references: what only a backtracking engine can do. */
function backtracking(source: string): PatternFault | undefined {
  const slashes = slashesAround(source);
  if (slashes) return slashes;
  const plain = source.replaceAll(/\\\\/g, "  ");
  const around = /\(\?(<?[=!])/.exec(plain);
  if (around) {
    const name = around[1]?.startsWith("<") === true ? "lookbehind" : "lookahead";
    const message = `${name} "${around[0]}" ${LINEAR}`;
    const rest = /^([\w ]*)/.exec(plain.slice(around.index + around[0].length))?.[1] ?? "";
    const word = rest.trim() === "" ? "…" : rest.trim();
    const help = around[0].endsWith("!")
      ? `match the positive part and exclude the rest with  not: {FIELD: {contains: ${word}}}`
      : "write what stands around it into the pattern: it needs no zero-width test";
    const mistake = { code: "regex-lookaround", message, help };
    return { mistake, offset: around.index, length: around[0].length };
  }
  const back = /(?<!\\)\\([1-9]|k<\w+>)/.exec(plain);
  if (!back) return undefined;
  const message = `the back-reference "${back[0]}" ${LINEAR}`;
  const help = "write the alternatives out, or compare two fields with  if:";
  const mistake = { code: "regex-backreference", message, help };
  return { mistake, offset: back.index, length: back[0].length };
}

/** A text that every match of a pattern holds. */
interface Literal {
  readonly text: string;
  /** Its case counts. */
  readonly cased: boolean;
}

/** A cheap test that every match must pass. */
function mayStandIn(text: string, literal: Literal): boolean {
  if (literal.cased) return text.includes(literal.text);
  const lower = text.toLowerCase();
  // two characters outside ASCII fold to ASCII letters: the Kelvin sign, which lower-casing covers, and the long s
  return lower.includes(literal.text) || lower.replaceAll("\u017f", "s").includes(literal.text);
}

/**
 * A literal that the pattern can't do without.
 *
 * Only what is certain counts: no alternation, no groups, ASCII letters, and a literal followed by
 * `*`, `?` or `{` loses its last letter.
 */
function literalIn(source: string, cased: boolean): Literal | undefined {
  const [whole = "", flags = ""] = /^\(\?([ims]+)\)/.exec(source) ?? [];
  const body = source.slice(whole.length);
  if (/[|()[\]\\]|\(\?/.test(body) && !/^\\b[\w ]+\\b$/.test(body)) return undefined;
  const runs = body
    .replaceAll("\\b", "\u0000")
    .replaceAll(/.(?=[*?{])/gu, "\u0000")
    .replaceAll(/\{[^}]*\}/g, "\u0000")
    .match(/[A-Za-z0-9_ ]+/g);
  const longest = (runs ?? []).sort((a, b) => b.length - a.length)[0];
  if (longest === undefined || longest.length < 2) return undefined;
  const counts = cased && !flags.includes("i");
  return { text: counts ? longest : longest.toLowerCase(), cased: counts };
}
