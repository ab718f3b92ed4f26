import type { Json } from "../protocol/json.ts";
import type { Trace } from "./trace.ts";

/** A trace in which nobody can be recognised. */
export type RedactedTrace = Trace & { readonly redacted: true };

export interface RedactOptions {
  /** Leaves what people wrote, without the handles, names, addresses and numbers in it. */
  readonly texts?: boolean;
}

/**
 * A trace to share. Handles, names, ids, e-mail addresses, phone numbers, links and secrets are replaced, the same by the
 * same: `@person-1` writes from `id-1`. What people and the bot wrote is replaced by its length unless it is asked for.
 * The rules' own text, which a verdict quotes, stays; so do times.
 */
export function redacted(trace: Trace, { texts = false }: RedactOptions = {}): RedactedTrace {
  const veil = new Veil(trace, texts);
  return { ...veil.over(trace), redacted: true };
}

/** Keys of what somebody wrote. */
const WRITTEN = new Set(["text", "full_text", "rawText", "description", "location", "note"]);
/** Keys of names of people. */
const NAMES = new Set(["name", "screen_name", "username"]);
const SECRET = /token|secret|password|authorization|api_?key|signature|cookie/i;
const TIME = /^(?:.*_)?(?:at|timestamp|timestamp_ms|time)$|^created_timestamp$/;
/** Keys whose values are words of the program, or names that the rules give. */
const OURS = new Set(
  "label verb kind type status word outcome ruleId rule revision file source direction code lang ran triggers".split(
    " ",
  ),
);
/** Keys of values that are made of what somebody wrote. */
const MADE_OF_TEXT = new Set(["before", "to", "from", "result", "evidence"]);

const IDS_ALONE = /^\d+(?:[/-]\d+)?$/;

interface Within {
  /** What came over the wire: ids are numbers there, too. */
  readonly isRaw: boolean;
  readonly isMade: boolean;
}
const PLAIN: Within = { isRaw: false, isMade: false };

class Veil {
  readonly #texts: boolean;
  readonly #people = new Map<string, string>();
  readonly #ids = new Map<string, string>();
  readonly #others = new Map<string, string>();
  readonly #written = new Set<string>();

  constructor(trace: Trace, texts: boolean) {
    this.#texts = texts;
    const { event, raw } = trace;
    for (const one of [event.person, event.account]) if (one !== undefined) this.#meetPerson(one);
    this.#meetPeople(raw);
    this.#meet(trace, "");
  }

  over<T>(value: T): T {
    return JSON.parse(JSON.stringify(this.#seen(JSON.parse(JSON.stringify(value)), "", PLAIN)));
  }

  /** Notes who and what is in it. */
  #meet(value: unknown, key: string): void {
    if (typeof value === "string") {
      if (WRITTEN.has(key) && value.trim().length > 2) this.#written.add(value);
    } else if (Array.isArray(value)) {
      for (const one of value) this.#meet(one, key);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, one] of Object.entries(value)) this.#meet(one, name);
    }
  }

  #meetPeople(value: Json): void {
    if (typeof value !== "object" || value === null) return;
    if (!Array.isArray(value)) this.#meetPerson(value);
    for (const one of Object.values(value)) this.#meetPeople(one ?? null);
  }

  #meetPerson(value: object): void {
    const {
      username,
      screen_name: screen,
      name,
      id,
      id_str: text,
    }: Partial<Record<string, unknown>> = Object.fromEntries(Object.entries(value));
    const handle = username ?? screen;
    const number = text ?? id;
    if (typeof handle !== "string" || (typeof number !== "string" && typeof number !== "number")) {
      return;
    }
    const known =
      this.#people.get(handle.toLowerCase()) ?? `person-${new Set(this.#people.values()).size + 1}`;
    this.#people.set(handle.toLowerCase(), known);
    if (typeof name === "string" && name.trim().length > 1)
      this.#people.set(name.toLowerCase(), known);
    this.#ids.set(String(number), known.replace("person", "id"));
  }

  #seen(value: Json, key: string, within: Within): Json {
    if (typeof value === "string") {
      return within.isMade && !this.#texts ? lengthOf(value) : this.#text(value, key);
    }
    if (typeof value === "number") {
      return (within.isRaw && !TIME.test(key) ? this.#ids.get(String(value)) : undefined) ?? value;
    }
    if (Array.isArray(value)) return value.map((one) => this.#seen(one, key, within));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const inside = {
          isRaw: within.isRaw || name === "raw",
          isMade: within.isMade || MADE_OF_TEXT.has(name),
        };
        const hides = SECRET.test(name) && typeof one === "string";
        return [this.#veiled(name), hides ? "[removed]" : this.#seen(one ?? null, name, inside)];
      }),
    );
  }

  #text(text: string, key: string): string {
    if (TIME.test(key) || OURS.has(key)) return text;
    if (NAMES.has(key) && this.#people.has(text.toLowerCase())) {
      return this.#people.get(text.toLowerCase()) ?? text;
    }
    let shown = text;
    if (!this.#texts) {
      if (WRITTEN.has(key)) return lengthOf(text);
      // the longest first: a word of a profile would take a message apart, so that the rest of the message stays
      for (const one of this.#writtenByLength()) {
        shown = shown.replaceAll(one, lengthOf(one));
        shown = shown.replaceAll(JSON.stringify(one).slice(1, -1), lengthOf(one));
      }
    }
    return this.#veiled(shown);
  }

  #veiled(text: string): string {
    let shown = text
      .replaceAll(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, (found) => this.#other(found, "mail"))
      .replaceAll(/https?:\/\/[^\s"'<>]+/g, (found) => this.#other(found, "link"));
    for (const [name, person] of this.#byLength()) {
      shown = shown.replaceAll(
        new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(name)}(?![\\p{L}\\p{N}_])`, "giu"),
        person,
      );
    }
    shown = shown
      .replaceAll(/@(?!person-\d)\w{1,15}\b/g, (found) => `@${this.#personCalled(found.slice(1))}`)
      .replaceAll(/(?<![\w-])\+?\d[\d ()/.-]{6,}\d(?![\w-])/g, (found) =>
        /^\d+$/.test(found) ? found : this.#other(found, "number"),
      )
      .replaceAll(/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}(?![\w-])/g, (found) =>
        this.#other(found, "secret"),
      );
    return this.#withoutIds(shown);
  }

  /** Ids are numbers of five and more digits, and those of the people in it. */
  #withoutIds(text: string): string {
    return text.replaceAll(/(?<![\p{L}\d.])\d+(?![\p{L}\d])/gu, (found) => {
      const known = this.#ids.get(found);
      // a number of one or two digits is an id where it stands alone, or in a lane or a conversation
      if (known !== undefined && (found.length > 2 || IDS_ALONE.test(text))) return known;
      return found.length < 5 ? found : this.#other(found, "number");
    });
  }

  #writtenByLength(): readonly string[] {
    return [...this.#written].sort((a, b) => b.length - a.length);
  }

  #byLength(): readonly (readonly [string, string])[] {
    return [...this.#people].sort(([a], [b]) => b.length - a.length);
  }

  #personCalled(handle: string): string {
    const known = this.#people.get(handle.toLowerCase());
    if (known !== undefined) return known;
    const name = `person-${new Set(this.#people.values()).size + 1}`;
    this.#people.set(handle.toLowerCase(), name);
    return name;
  }

  #other(found: string, what: string): string {
    const known = this.#others.get(found);
    if (known !== undefined) return known;
    const name = `[${what} ${[...this.#others.values()].filter((one) => one.startsWith(`[${what}`)).length + 1}]`;
    this.#others.set(found, name);
    return name;
  }
}

function lengthOf(text: string): string {
  return text === "" ? "" : `[${text.length} characters]`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
