/** A secret that a service or function receives, and may repeat in its response or result. */
export interface HiddenValue {
  readonly value: string;
  /** Whether a rule splits the value, so that the request may contain only a part of it. */
  readonly isTakenApart: boolean;
}

const REDACTED = "[Redacted]";
/** Minimum length of the parts that are replaced of a secret that a rule splits. Shorter secrets are not replaced. */
const MIN_PART = 4;
/** Minimum length of the parts that are replaced of a secret that is sent whole. */
const MIN_PART_OF_WHOLE = 8;
/** Matches parts that may be ordinary words instead of a piece of the secret. */
const WORDS = /^[a-z _.-]*$/;

/**
 * Replaces by `[Redacted]` all parts of secrets that a JSON value repeats: in upper or lower case, percent-encoded, or
 * escaped as in JSON.
 *
 * A service may repeat the whole request, or the end of a key in an error. The outcome is stored with the run, may be
 * shown, and may be sent. For a secret that is sent whole, parts of eight characters that are not words are replaced;
 * for a secret that the rule splits, parts of four.
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

/** A secret, prepared for the search in texts: all its parts of equal length. */
interface Needle {
  /** Length of each part in characters. */
  readonly length: number;
  readonly parts: ReadonlySet<string>;
  /** Minimum length, in characters, from which a part is replaced even if it looks like ordinary words. */
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

/**
 * Decodes URL and JSON escapes, and converts A to Z to lower case. `places` has the position in `written` of each
 * character of `text`.
 */
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
