import { RE2JS, RE2Set } from "re2js";
import {
  emptyAlternative,
  helpForPattern,
  type PatternFault,
  slashesAround,
} from "./pattern-help.ts";
import { neverThere } from "./never-there.ts";
import { longSignInClass, plainLetters } from "./plain-letters.ts";
import {
  asksForBoundary,
  forMarkedText,
  marked,
  unmarkedLength,
  withUnicodeClasses,
} from "./unicode-pattern.ts";

/** Compiled pattern. Searching takes time linear in the length of the text. */
export interface Pattern {
  readonly source: string;
  /** Names of the pattern's named groups. */
  readonly groups: readonly string[];
  test(text: string): boolean;
  /** Finds the places of the named groups in a text. Groups without a part in the match are absent. `undefined`: no match. */
  spans(text: string): ReadonlyMap<string, GroupPlace> | undefined;
}

/** Part of a text: index of its first UTF-16 unit, and of the unit after its last. */
export interface GroupPlace {
  readonly start: number;
  readonly end: number;
}

/**
 * Maximum number of instructions of a compiled pattern. A search with 200 takes about 3 ms in a message of 10,000
 * characters.
 */
const MAX_INSTRUCTIONS = 200;
/**
 * Maximum for patterns with named groups. With nested repetitions, 100 instructions take up to 36 ms to find groups.
 */
const MAX_INSTRUCTIONS_WITH_GROUPS = 120;

/**
 * Compiles an RE2 pattern, or returns why it is rejected.
 *
 * @param cased Whether case counts. Otherwise case is ignored, and in pattern and text, variants of a character (such
 * as curly quotes) are replaced by its plain form: such a text is called tidied.
 */
export function compilePattern(source: string, cased: boolean): Pattern | PatternFault {
  const refused =
    backtracking(source) ??
    (cased ? boundaryInLines(source) : (neverThere(source) ?? longSignInClass(source)));
  if (refused) return refused;
  try {
    const machine = machineFor(source, cased);
    const groups = Object.keys(machine.namedGroups());
    const most = groups.length > 0 ? MAX_INSTRUCTIONS_WITH_GROUPS : MAX_INSTRUCTIONS;
    const instructions = machine.programSize();
    if (instructions > most) return tooLong(source, instructions, most);
    return emptyAlternative(source) ?? new Re2Pattern(source, cased, groups);
  } catch (error) {
    const reason = error instanceof Error ? withoutPrefix(error.message, source) : "";
    const part = /`(.*)`$/s.exec(reason)?.[1] ?? source;
    return {
      mistake: {
        code: "regex-syntax",
        message: `this pattern can't be read: ${reason}`,
        help: helpForPattern(reason, part, source),
      },
      offset: Math.max(0, source.indexOf(part)),
      length: Math.max(1, part.length),
    };
  }
}

/** @throws The error of RE2 if it can't read the pattern. */
function machineFor(source: string, cased: boolean, form: EngineForm = "plain"): RE2JS {
  return RE2JS.compile(engineSource(source, cased, form), cased ? 0 : RE2JS.CASE_INSENSITIVE);
}

/**
 * Form of a compiled pattern. `plain`: for ASCII text, where it finds the same matches as `unicode` in less time.
 * `unicode`: with Unicode character classes. `marked`: for a {@link marked} text, if the pattern has word boundaries.
 */
type EngineForm = "plain" | "unicode" | "marked";

/** Returns the source of a pattern that RE2 compiles for a form. */
function engineSource(source: string, cased: boolean, form: EngineForm): string {
  const plain = cased ? source : plainLetters(source);
  if (form === "plain") return plain;
  const wide = withUnicodeClasses(plain);
  return form === "unicode" ? wide : forMarkedText(wide);
}

/** Returns whether a text is plain ASCII, so that ASCII and Unicode classes match the same characters of it. */
export function isPlainText(text: string): boolean {
  return /^[ -~\n\r\t]*$/.test(text);
}

/** Makes unnamed groups non-capturing: no rule reads them, and capturing makes a search take 1.5 times as long. */
function withoutUnnamedGroups(source: string): string {
  if (source.includes("\\Q")) return source;
  return source.replaceAll(/\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\((?!\?)/gsu, (token) =>
    token === "(" ? "(?:" : token,
  );
}

/**
 * A valid pattern. It discards the program of the validation and compiles it again on first use: a program takes some
 * 20 KiB, and most patterns never need theirs, since no message contains their literal.
 */
class Re2Pattern implements Pattern {
  readonly source: string;
  readonly groups: readonly string[];
  readonly #cased: boolean;
  readonly #literal: Literal | undefined;
  /** Form of the pattern for texts that contain characters outside ASCII. */
  readonly #wide: EngineForm;
  readonly #machines = new Map<EngineForm, RE2JS>();
  readonly #automata = new Map<EngineForm, RE2Set>();

  constructor(source: string, cased: boolean, groups: readonly string[]) {
    this.source = source;
    this.groups = groups;
    this.#cased = cased;
    this.#literal = literalIn(cased ? source : plainLetters(source), cased);
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

  spans(text: string): ReadonlyMap<string, GroupPlace> | undefined {
    const form = this.#formFor(text);
    const searched = form === "marked" ? marked(text) : text;
    const matcher = this.#machine(form).matcher(searched);
    if (!matcher.find()) return undefined;
    const place = (at: number): number =>
      form === "marked" ? unmarkedLength(searched.slice(0, at)) : at;
    const spans = new Map<string, GroupPlace>();
    for (const name of this.groups) {
      const start = matcher.start(name);
      if (start >= 0) spans.set(name, { start: place(start), end: place(matcher.end(name)) });
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

/**
 * Texts longer than this number of characters are searched by an automaton. It is built on demand, as most texts are
 * short.
 */
const LONG = 400;
/** Maximum memory for the states of an automaton, in bytes. At the limit, the automaton discards its states. */
const MEMORY = 262_144;

/**
 * Builds an automaton that finds whether a pattern matches, but not where. If repetitions are nested, finding the place
 * takes up to forty times as long.
 */
function automatonFor(source: string, cased: boolean): RE2Set {
  const flags = cased ? 0 : RE2JS.CASE_INSENSITIVE;
  const automaton = new RE2Set(RE2Set.UNANCHORED, flags, MEMORY);
  automaton.add(source);
  return automaton;
}

/** Removes the flag for ignoring case, which RE2 prepends to the pattern in its messages. */
function withoutPrefix(message: string, source: string): string {
  const reason = message.replace(/^error parsing regexp: /, "");
  return source.startsWith("(?i)") ? reason : reason.replace("`(?i)", "`");
}

function tooLong(source: string, instructions: number, most: number): PatternFault {
  const message = `this pattern has ${instructions} instructions; the limit of ${most} keeps searches fast`;
  const help = "shorten its {n,m} counts, or split it:  matches: ['…', '…']";
  return {
    mistake: { code: "regex-too-long", message, help },
    offset: 0,
    length: Math.max(1, source.length),
  };
}

/** Rejects multi-line mode together with word boundaries: in a marked text, no line begins after a line break. */
function boundaryInLines(source: string): PatternFault | undefined {
  const lines = /\(\?[isU]*m[imsU]*(?:-[imsU]+)?[:)]/.exec(source);
  if (!lines || !asksForBoundary(source)) return undefined;
  return {
    mistake: {
      code: "regex-syntax",
      message: `"${lines[0]}" and a word boundary can't be in the same pattern`,
      help: "write (?:^|\\W) before the word and (?:\\W|$) after it instead of \\b",
    },
    offset: lines.index,
    length: lines[0].length,
  };
}

const LINEAR =
  "is not supported: patterns run in linear time (RE2), so no message can hang the bot";

/** Rejects lookaround and back-references, which only a backtracking engine supports. */
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
      : "write the surrounding text into the pattern itself";
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

/** Text that every match of a pattern contains. */
interface Literal {
  readonly text: string;
  /** Whether the case of the literal counts. */
  readonly cased: boolean;
}

/** Returns whether a text can match, by its literal alone: a cheap test that every matching text passes. */
function mayStandIn(text: string, literal: Literal): boolean {
  if (literal.cased) return text.includes(literal.text);
  const lower = text.toLowerCase();
  // two characters outside ASCII fold to ASCII letters: the Kelvin sign, which lower-casing covers, and the long s
  return lower.includes(literal.text) || lower.replaceAll("\u017f", "s").includes(literal.text);
}

/**
 * Returns the longest literal that every match contains; `undefined` if the pattern shows none.
 *
 * Only patterns without alternation, groups and classes count, and of these only ASCII letters, digits, `_` and spaces.
 * A literal before `*`, `?` or `{` loses its last letter.
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
