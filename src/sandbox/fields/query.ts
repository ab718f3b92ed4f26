import { Refusal } from "../kernel/refusal.ts";
import type { Call } from "../kernel/route.ts";
import { type Place, readToken } from "./paging.ts";
import { spell } from "./spell.ts";

interface Wrong {
  readonly message: string;
  readonly parameters?: Record<string, string[]>;
}

const ID = /^[0-9]{1,19}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Reads the query of one request to the data interface, parameter by parameter.
 *
 * Faults are gathered and told together by {@link Query.done}, which also refuses what was never
 * asked for. Messages name parameters and values as the caller spelled them.
 */
export class Query {
  readonly #call: Call;
  readonly #known: string[] = [];
  readonly #wrong: Wrong[] = [];

  constructor(call: Call) {
    this.#call = call;
  }

  /** Text between two lengths, both included. */
  text(name: string, { min = 1, max }: { min?: number; max: number }): string | undefined {
    const value = this.#read(name);
    if (value === undefined) return undefined;
    const length = Array.from(value).length;
    if (length >= min && length <= max) return value;
    return this.#refuse(
      name,
      value,
      `query parameter length [${length}] is not between ${min} and ${max}`,
    );
  }

  /** A whole number from `min` to `max`. */
  integer(name: string, { min, max }: { min: number; max: number }): number | undefined {
    const value = this.#read(name);
    if (value === undefined) return undefined;
    const number = /^-?\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    return this.#refuse(
      name,
      value,
      `query parameter value [${value}] is not between ${min} and ${max}`,
    );
  }

  id(name: string): string | undefined {
    const value = this.#read(name);
    if (value === undefined || ID.test(value)) return value;
    return this.#refuse(name, value, `query parameter value [${value}] is not valid`);
  }

  /** An id of the path. */
  pathId(name: string): string {
    const value = this.#call.params[name] ?? "";
    if (!ID.test(value)) {
      this.#refuse(name, value, `query parameter value [${value}] is not valid`);
    }
    return value;
  }

  /** An instant in ISO 8601, as milliseconds since the Unix epoch. */
  time(name: string): number | undefined {
    const value = this.#read(name);
    if (value === undefined) return undefined;
    const at = TIME.test(value) ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(at)) return at;
    return this.#refuse(
      name,
      value,
      `query parameter value [${value}] does not match YYYY-MM-DDTHH:mm:ssZ`,
    );
  }

  /** A token of an earlier page. */
  token(name: string): Place | undefined {
    const value = this.#read(name);
    const place = value === undefined ? undefined : readToken(value);
    if (value === undefined || place !== undefined) return place;
    return this.#refuse(name, value, `query parameter value [${value}] is not valid`);
  }

  /** One of a few words. */
  choice<const Word extends string>(name: string, of: readonly Word[]): Word | undefined {
    const value = this.#read(name);
    const found = of.find((word) => word === value);
    if (value === undefined || found !== undefined) return found;
    return this.#refuse(
      name,
      value,
      `query parameter value [${value}] is not one of [${of.join(",")}]`,
    );
  }

  /** Some of a few words, comma-separated, none twice. */
  choices<const Word extends string>(name: string, of: readonly Word[]): ReadonlySet<Word> {
    const { dialect } = this.#call;
    const chosen = new Set<Word>();
    for (const value of this.list(name) ?? []) {
      const found = of.find((word) => word === value);
      if (found !== undefined) chosen.add(found);
      else {
        const spelled = spell(value, dialect);
        const words = of.map((word) => spell(word, dialect));
        this.#refuse(
          name,
          spelled,
          `query parameter value [${spelled}] is not one of [${words.join(",")}]`,
        );
      }
    }
    return chosen;
  }

  /** A comma-separated list without empty or repeated values. */
  list(name: string, limits?: { most: number; pattern: RegExp }): string[] | undefined {
    const whole = this.#read(name);
    if (whole === undefined) return undefined;
    const values = whole.split(",");
    const seen = new Set<string>();
    for (const value of values) {
      if (value === "") this.#refuse(name, whole, "query parameter has an empty value in its list");
      else if (seen.has(value)) this.#twice(name);
      else if (limits !== undefined && !limits.pattern.test(value)) {
        this.#refuse(name, value, mismatch(value, limits.pattern));
      }
      seen.add(value);
    }
    if (limits !== undefined && values.length > limits.most) {
      this.#refuse(
        name,
        whole,
        `query parameter has ${values.length} values; at most ${limits.most} are allowed`,
      );
    }
    return values.filter((value) => value !== "");
  }

  /** Up to `most` ids; the parameter must be there. */
  ids(name: string, most: number): string[] {
    this.need(name);
    return this.list(name, { most, pattern: ID }) ?? [];
  }

  /** Holds that a parameter is there. */
  need(name: string): void {
    if (this.#call.query.has(name)) return;
    this.fault(name, "", `The \`${name}\` query parameter can not be empty`);
  }

  /** Tells of a fault that the caller of this class found. */
  fault(name: string, value: string, message: string): void {
    const spelled = spell(name, this.#call.dialect);
    this.#wrong.push({ parameters: { [spelled]: [value] }, message });
  }

  /** @throws {Refusal} 400 with every fault, also for parameters that nobody read. */
  done(): void {
    const { query, dialect } = this.#call;
    const known = this.#known.map((name) => spell(name, dialect));
    for (const name of new Set(query.keys())) {
      // OAuth 1.0a parameters may travel in the query.
      if (this.#known.includes(name) || name.startsWith("oauth_")) continue;
      const spelled = spell(name, dialect);
      this.#wrong.push({
        parameters: { [spelled]: query.getAll(name) },
        message: `The query parameter [${spelled}] is not one of [${known.join(",")}]`,
      });
    }
    if (this.#wrong.length > 0) throw Refusal.invalid(this.#wrong);
  }

  #read(name: string): string | undefined {
    this.#known.push(name);
    const values = this.#call.query.getAll(name);
    if (values.length > 1) this.#twice(name);
    const value = values[0];
    if (value !== "") return value;
    this.fault(
      name,
      "",
      `The \`${spell(name, this.#call.dialect)}\` query parameter can not be empty`,
    );
    return undefined;
  }

  #twice(name: string): void {
    const spelled = spell(name, this.#call.dialect);
    this.#wrong.push({
      parameters: { [spelled]: this.#call.query.getAll(name) },
      message: `Duplicate parameters are not allowed: the \`${spelled}\` query parameter`,
    });
  }

  #refuse(name: string, value: string, rest: string): undefined {
    this.fault(name, value, `The \`${spell(name, this.#call.dialect)}\` ${rest}`);
  }
}

function mismatch(value: string, pattern: RegExp): string {
  const rest = pattern === ID ? "is not valid" : `does not match ${pattern.source}`;
  return `query parameter value [${value}] ${rest}`;
}
