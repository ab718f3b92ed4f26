import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteCall } from "../server/route.ts";
import {
  decodeCursor,
  type PageCursor,
  type PageRequest,
  type PageSizes,
} from "../kernel/world/paging.ts";
import { toCallerWord } from "../kernel/http/dialect.ts";

interface ParameterFault {
  readonly message: string;
  readonly parameters?: Record<string, string[]>;
}

const ID = /^[0-9]{1,19}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Reads the query of one request to API v2, parameter by parameter. {@link Query.finish} throws all collected faults
 * together, and also refuses parameters that were never read. Messages name parameters and values as the caller wrote
 * them.
 */
export class Query {
  readonly #call: RouteCall;
  readonly #known: string[] = [];
  readonly #faults: ParameterFault[] = [];

  constructor(call: RouteCall) {
    this.#call = call;
  }

  /** Returns a text whose length is between `min` and `max`, both included. */
  text(name: string, { min = 1, max }: { min?: number; max: number }): string | undefined {
    const value = this.#read(name);
    if (value === undefined) return undefined;
    const length = Array.from(value).length;
    if (length >= min && length <= max) return value;
    return this.#addFault(
      name,
      value,
      `query parameter length [${length}] is not between ${min} and ${max}`,
    );
  }

  /** Returns a whole number from `min` to `max`. */
  integer(name: string, { min, max }: { min: number; max: number }): number | undefined {
    const value = this.#read(name);
    if (value === undefined) return undefined;
    const number = /^-?\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    return this.#addFault(
      name,
      value,
      `query parameter value [${value}] is not between ${min} and ${max}`,
    );
  }

  id(name: string): string | undefined {
    const value = this.#read(name);
    if (value === undefined || ID.test(value)) return value;
    return this.#addFault(name, value, `query parameter value [${value}] is not valid`);
  }

  /** Returns an id that is a parameter of the path. */
  pathId(name: string): string {
    const value = this.#call.params[name] ?? "";
    if (!ID.test(value)) {
      this.#addFault(name, value, `query parameter value [${value}] is not valid`);
    }
    return value;
  }

  /** Returns an instant in ISO 8601, as milliseconds since the Unix epoch. */
  time(name: string): number | undefined {
    const value = this.#read(name);
    if (value === undefined) return undefined;
    const at = TIME.test(value) ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(at)) return at;
    return this.#addFault(
      name,
      value,
      `query parameter value [${value}] does not match YYYY-MM-DDTHH:mm:ssZ`,
    );
  }

  /** Returns the cursor that a pagination token contains. */
  token(name: string): PageCursor | undefined {
    const value = this.#read(name);
    const cursor = value === undefined ? undefined : decodeCursor(value);
    if (value === undefined || cursor !== undefined) return cursor;
    return this.#addFault(name, value, `query parameter value [${value}] is not valid`);
  }

  /** Reads `max_results` and `pagination_token`, which select a page of a list. */
  page(sizes: PageSizes): PageRequest {
    const size = this.integer("max_results", sizes) ?? sizes.default;
    return { size, cursor: this.token("pagination_token") };
  }

  /** Returns a parameter's value if it is one of the words in `of`; any other value is a fault. */
  choice<const Word extends string>(name: string, of: readonly Word[]): Word | undefined {
    const value = this.#read(name);
    const validWord = of.find((word) => word === value);
    if (value === undefined || validWord !== undefined) return validWord;
    return this.#addFault(
      name,
      value,
      `query parameter value [${value}] is not one of [${of.join(",")}]`,
    );
  }

  /** Returns the words of a comma-separated parameter. Words that are not in `of` are faults. */
  choices<const Word extends string>(name: string, of: readonly Word[]): ReadonlySet<Word> {
    const { dialect } = this.#call;
    const chosen = new Set<Word>();
    for (const value of this.list(name) ?? []) {
      const validWord = of.find((word) => word === value);
      if (validWord !== undefined) chosen.add(validWord);
      else {
        const callerName = toCallerWord(value, dialect);
        const words = of.map((word) => toCallerWord(word, dialect));
        this.#addFault(
          name,
          callerName,
          `query parameter value [${callerName}] is not one of [${words.join(",")}]`,
        );
      }
    }
    return chosen;
  }

  /** Returns a comma-separated list without empty or repeated values. */
  list(name: string, limits?: { max: number; pattern: RegExp }): string[] | undefined {
    const whole = this.#read(name);
    if (whole === undefined) return undefined;
    const values = whole.split(",");
    const seen = new Set<string>();
    for (const value of values) {
      if (value === "")
        this.#addFault(name, whole, "query parameter has an empty value in its list");
      else if (seen.has(value)) this.#addRepeated(name);
      else if (limits !== undefined && !limits.pattern.test(value)) {
        this.#addFault(name, value, mismatch(value, limits.pattern));
      }
      seen.add(value);
    }
    if (limits !== undefined && values.length > limits.max) {
      this.#addFault(
        name,
        whole,
        `query parameter has ${values.length} values; at most ${limits.max} are allowed`,
      );
    }
    return values.filter((value) => value !== "");
  }

  /** Returns up to `max` ids; the parameter is required. */
  ids(name: string, max: number): string[] {
    this.require(name);
    return this.list(name, { max, pattern: ID }) ?? [];
  }

  /** Adds a fault if the required parameter `name` is missing. */
  require(name: string): void {
    if (this.#call.query.has(name)) return;
    this.addFaultMessage(name, "", `The \`${name}\` query parameter can not be empty`);
  }

  /** Adds a fault that the caller of this class has detected. */
  addFaultMessage(name: string, value: string, message: string): void {
    const callerName = toCallerWord(name, this.#call.dialect);
    this.#faults.push({ parameters: { [callerName]: [value] }, message });
  }

  /** @throws {ApiError} 400 with every fault, also for parameters that were never read. */
  finish(): void {
    const { query, dialect } = this.#call;
    const knownNames = this.#known.map((name) => toCallerWord(name, dialect));
    for (const name of new Set(query.keys())) {
      // OAuth 1.0a allows its `oauth_…` parameters in the query, so they are not unknown parameters.
      if (this.#known.includes(name) || name.startsWith("oauth_")) continue;
      const callerName = toCallerWord(name, dialect);
      this.#faults.push({
        parameters: { [callerName]: query.getAll(name) },
        message: `The query parameter [${callerName}] is not one of [${knownNames.join(",")}]`,
      });
    }
    if (this.#faults.length > 0) throw ApiError.invalid(this.#faults);
  }

  #read(name: string): string | undefined {
    this.#known.push(name);
    const values = this.#call.query.getAll(name);
    if (values.length > 1) this.#addRepeated(name);
    const value = values[0];
    if (value !== "") return value;
    this.addFaultMessage(
      name,
      "",
      `The \`${toCallerWord(name, this.#call.dialect)}\` query parameter can not be empty`,
    );
    return undefined;
  }

  #addRepeated(name: string): void {
    const callerName = toCallerWord(name, this.#call.dialect);
    this.#faults.push({
      parameters: { [callerName]: this.#call.query.getAll(name) },
      message: `Duplicate parameters are not allowed: the \`${callerName}\` query parameter`,
    });
  }

  #addFault(name: string, value: string, rest: string): undefined {
    this.addFaultMessage(name, value, `The \`${toCallerWord(name, this.#call.dialect)}\` ${rest}`);
  }
}

function mismatch(value: string, pattern: RegExp): string {
  const rest = pattern === ID ? "is not valid" : `does not match ${pattern.source}`;
  return `query parameter value [${value}] ${rest}`;
}
