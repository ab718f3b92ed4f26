import { fold } from "../../text/fold.ts";
import { UNSPACED_SCRIPTS } from "../../text/words.ts";
import type { Json } from "../../protocol/json.ts";

/** Id and names of a person or an account that may occur in a text. */
export interface NamedPerson {
  readonly id?: string | undefined;
  readonly username?: string | undefined;
  readonly name?: string | undefined;
}

// Letters and digits of all scripts count: people write phone numbers and addresses in their own.
const MAIL = /(?<![\p{L}\p{N}_.+-])[\p{L}\p{N}_.+-]+@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu;
/** A URL, or a domain with a path, such as `t.me/ana`. */
const LINK =
  /(?:https?:\/\/|(?<![\p{L}\p{N}_@.-])(?:www\.|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}\/))[^\s"'<>]+/giu;
/** Letters beside which a name or number needs no space: of scripts without spaces, and Korean, which has endings. */
const ADJOINING = `[${UNSPACED_SCRIPTS}\\p{Script=Hangul}]`;
const NUMBER = new RegExp(
  `(?<!(?!${ADJOINING})[\\p{L}\\p{N}_-])\\+?\\p{Nd}[\\p{Nd} ()/.\\p{Pd}−]{6,}\\p{Nd}(?!(?!${ADJOINING})[\\p{L}\\p{N}_-])`,
  "gu",
);
/** A word of letters and digits with 24 characters, such as a token, or with five digits in a row, such as an IBAN. */
const SECRET =
  /(?<![\p{L}\p{N}_-])(?=[\p{L}\p{N}_-]*\p{L})(?=[\p{L}\p{N}_-]*\p{Nd}{5}|(?=[\p{L}\p{N}_-]*\p{Nd})[\p{L}\p{N}_-]{24})[\p{L}\p{N}_-]+/gu;

/** Begins and ends a word. */
const START = `(?<!(?!${ADJOINING})[\\p{L}\\p{N}_])`;
const END = `(?!(?!${ADJOINING})[\\p{L}\\p{N}_])`;
/** A part of a name: a word that begins with a capital letter, or of a script without capitals. */
const NAME_PART = new RegExp(
  `${START}(?!${ADJOINING})[\\p{Lu}\\p{Lt}\\p{Lo}](?:(?!${ADJOINING})[\\p{L}\\p{M}])+`,
  "gu",
);
/** A part of a name that other letters may adjoin: two letters or more. */
const ADJOINED_PART = new RegExp(`(?:${ADJOINING}\\p{M}*){2,}`, "gu");

/**
 * Replaces personal data in texts by pseudonyms such as `@person-1`: handles, names, ids, addresses, phone numbers,
 * links and tokens.
 */
export class Veil {
  /** Pseudonyms by handle and by name, in lower case; also by a part of a name that other letters may adjoin. */
  readonly #people = new Map<string, string>();
  /** Pseudonyms by folded part of a name. It must begin with a capital letter: `hope` is not the name `Hope`. */
  readonly #nameParts = new Map<string, string>();
  readonly #ids = new Map<string, string>();
  readonly #others = new Map<string, string>();

  /** @param raw Payload of the platform. Every object in it with a handle and an id is treated as a person. */
  constructor(people: readonly NamedPerson[], raw: Json) {
    for (const person of people) this.#meet(person);
    this.#meetPeople(raw);
  }

  /** Returns the pseudonym of a handle: `person-1`. */
  person(handle: string): string {
    const existing = this.#people.get(handle.toLowerCase());
    if (existing !== undefined) return existing;
    const pseudonym = `person-${new Set(this.#people.values()).size + 1}`;
    this.#people.set(handle.toLowerCase(), pseudonym);
    return pseudonym;
  }

  text(text: string): string {
    let shown = text
      .replaceAll(MAIL, (match) => this.#other(match, "mail"))
      .replaceAll(LINK, (match) => this.#other(match, "link"));
    for (const [name, person] of [...this.#people].sort(([a], [b]) => b.length - a.length)) {
      shown = shown.replaceAll(wordOf(name), person);
    }
    shown = shown
      .replaceAll(NAME_PART, (match) => this.#nameParts.get(fold(match)) ?? match)
      .replaceAll(/[@＠](?!person-\d)\w{1,15}\b/g, (match) => `@${this.person(match.slice(1))}`)
      .replaceAll(NUMBER, (match) =>
        /^\p{Nd}+$/u.test(match) ? match : this.#other(match, "number"),
      )
      .replaceAll(SECRET, (match) => this.#other(match, "secret"));
    return this.#withoutIds(shown);
  }

  #meetPeople(value: Json): void {
    if (typeof value !== "object" || value === null) return;
    const {
      username,
      screen_name: screen,
      name,
      id,
      id_str: number,
    }: Partial<Record<string, unknown>> = Object.fromEntries(Object.entries(value));
    this.#meet({
      id: firstText(number, typeof id === "number" ? String(id) : id),
      username: firstText(username, screen),
      name: firstText(name),
    });
    for (const one of Object.values(value)) this.#meetPeople(one ?? null);
  }

  #meet({ id, username, name }: NamedPerson): void {
    if (id === undefined || username === undefined) return;
    const pseudonym = this.person(username);
    if (name !== undefined && name.trim().length > 1) this.#people.set(lower(name), pseudonym);
    for (const [part] of name?.matchAll(ADJOINED_PART) ?? [])
      this.#people.set(part, this.#people.get(part) ?? pseudonym);
    for (const [part] of name?.matchAll(NAME_PART) ?? [])
      this.#nameParts.set(fold(part), this.#nameParts.get(fold(part)) ?? pseudonym);
    this.#ids.set(id, pseudonym.replace("person", "id"));
  }

  /** Replaces ids: numbers of five or more digits, and the ids of known people. */
  #withoutIds(text: string): string {
    return text.replaceAll(/(?<![\p{L}\p{Nd}.])\p{Nd}+(?![\p{L}\p{Nd}])/gu, (match) => {
      const pseudonym = this.#ids.get(match);
      // A number of one or two digits is replaced only if it is the whole text.
      if (pseudonym !== undefined && (match.length > 2 || text === match)) return pseudonym;
      return match.length < 5 ? match : this.#other(match, "number");
    });
  }

  #other(match: string, kind: string): string {
    const existing = this.#others.get(match);
    if (existing !== undefined) return existing;
    const sameKind = [...this.#others.values()].filter((one) => one.startsWith(`[${kind}`));
    const name = `[${kind} ${sameKind.length + 1}]`;
    this.#others.set(match, name);
    return name;
  }
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === "string");
}

/** Returns the text in lower case, without the dot that the Turkish letter `İ` leaves above an `i`. */
function lower(text: string): string {
  return text.toLowerCase().replaceAll("i\u0307", "i");
}

/** Pattern of a name as a word. Letters of scripts without spaces may adjoin the name, and a name in such a script. */
function wordOf(name: string): RegExp {
  const [start, end] = [`^${ADJOINING}`, `${ADJOINING}\\p{M}*$`].map((pattern) =>
    new RegExp(pattern, "u").test(name),
  );
  return new RegExp(`${start ? "" : START}${escaped(name)}${end ? "" : END}`, "giu");
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
