/** A secret that an answer of a service or a result of a function may repeat. */
export interface HiddenValue {
  readonly value: string;
  /** The request may have had a part of the value. */
  readonly isTakenApart: boolean;
}

const REDACTED = "[Redacted]";
/** Length in characters of the shortest part that is hidden of a value that is taken apart, and of the shortest value. */
const MIN_PART = 4;
/** Length in characters of the shortest part that is hidden of a value that is sent whole. */
const MIN_PART_OF_WHOLE = 8;
/** Parts of a whole value that may be words of the language. */
const WORDS = /^[a-z _.-]*$/;

/**
 * Replaces what a JSON value repeats of secrets, in any case, percent-encoded, or escaped as in JSON, by `[Redacted]`.
 *
 * A service that repeats a request repeats its secrets, and some repeat the end of a key in an error. The outcome of a
 * request is stored with the run, may be shown, and may be sent. Of a secret that is sent whole, parts of eight
 * characters that are not words are replaced; of one that the rule takes apart, parts of four.
 */
export function withoutRuns<T>(outcome: T, hidden: readonly HiddenValue[]): T {
  const needles = hidden.filter(({ value }) => value.length >= MIN_PART).map(needleOf);
  if (needles.length === 0) return outcome;
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return withoutRunsIn(value, needles);
    if (typeof value === "number") {
      const shown = withoutRunsIn(String(value), needles);
      return shown === String(value) ? value : shown;
    }
    if (Array.isArray(value)) return value.map((one) => clean(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [withoutRunsIn(key, needles), clean(one)]),
    );
  };
  return clean(outcome) as T;
}

/** Parts of a secret that a text is searched for. */
interface Needle {
  /** Length of each part in characters. */
  readonly length: number;
  readonly parts: ReadonlySet<string>;
  /** Length from which a run of words is hidden: that of the whole value. */
  readonly whole: number;
}

function needleOf({ value, isTakenApart }: HiddenValue): Needle {
  const length = isTakenApart ? MIN_PART : Math.min(MIN_PART_OF_WHOLE, value.length);
  const parts = new Set<string>();
  for (const form of [value, encoded(value)]) {
    const { text } = plain(form);
    for (let at = 0; at + length <= text.length; at += 1) parts.add(text.slice(at, at + length));
  }
  return { length, parts, whole: isTakenApart ? MIN_PART : value.length };
}

function withoutRunsIn(written: string, needles: readonly Needle[]): string {
  const { text, places } = plain(written);
  const isHidden = new Uint8Array(written.length);
  for (const { length, parts, whole } of needles) {
    const isPart = (at: number): boolean => parts.has(text.slice(at, at + length));
    for (let at = 0; at + length <= text.length; at += 1) {
      if (!isPart(at)) continue;
      const from = places[at] ?? 0;
      while (isPart(at + 1)) at += 1;
      const to = places[at + length] ?? written.length;
      const isWords = to - from < whole && WORDS.test(written.slice(from, to));
      if (!isWords) isHidden.fill(1, from, to);
    }
  }
  let shown = "";
  for (let at = 0; at < written.length;) {
    const hides = isHidden[at] === 1;
    const from = at;
    while (at < written.length && (isHidden[at] === 1) === hides) at += 1;
    shown += hides ? REDACTED : written.slice(from, at);
  }
  return shown;
}

const CHARACTERS = /%([0-7][0-9a-f])|\\+(["'/])|[^]/gi;

/** A text in lower case and without the encodings of URLs and JSON, and where each of its characters is in `written`. */
function plain(written: string): { readonly text: string; readonly places: readonly number[] } {
  let text = "";
  const places: number[] = [];
  for (const { 0: whole, 1: hex, 2: escaped, index } of written.matchAll(CHARACTERS)) {
    const character =
      hex === undefined ? (escaped ?? whole) : String.fromCharCode(Number.parseInt(hex, 16));
    text += /[A-Z]/.test(character) ? character.toLowerCase() : character;
    places.push(index);
  }
  return { text, places };
}

function encoded(value: string): string {
  return encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}
