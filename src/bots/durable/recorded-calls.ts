import type { HandlerRecord, RecordEntry } from "./record.ts";

/** More calls than a conversation has; a loop that never ends is one that asks for more. */
const MOST_CALLS = 1_000;
/** Shown in errors and in `answerback trace`. */
const NAME = /^[^\p{C}]{1,100}$/u;

/** A handler's calls in their order, held against the record of its run. */
export class RecordedCalls {
  readonly #record: HandlerRecord;
  /** What each name was given to. */
  readonly #named = new Map<string, string>();
  #next = 0;

  constructor(record: HandlerRecord) {
    this.#record = record;
  }

  /**
   * The next call and what is on record of it.
   *
   * @throws {TypeError} for a name that can't be one, or that an earlier call has.
   * @throws {RecordError} where another call is on record.
   */
  take<K extends RecordEntry["kind"]>(
    kind: K,
    name: string,
  ): { readonly place: number; readonly known: Extract<RecordEntry, { kind: K }> | undefined } {
    const call = { kind, name };
    if (isNamed(kind)) this.#claim(call);
    const place = this.#next;
    if (place >= MOST_CALLS) {
      throw new RecordError(`a handler asks for ${MOST_CALLS} things at most for one event`);
    }
    const known = this.#record[place] ?? undefined;
    if (known !== undefined && (!isOf(known, kind) || known.name !== name)) {
      throw new RecordError(
        `${inWords(call)} comes where the run has ${inWords(known)} on record, as call ${place + 1}: ${HELP}`,
      );
    }
    this.#next += 1;
    return { place, known };
  }

  /** The next call is on record. */
  get isRepeating(): boolean {
    return this.#next < this.#record.length;
  }

  /** @throws {RecordError} when the record goes on where the handler has ended. */
  end(): void {
    const next = this.#record.slice(this.#next).find((entry) => entry !== null);
    if (!next) return;
    throw new RecordError(
      `the handler ended where the run has ${inWords(next)} on record: ${HELP}`,
    );
  }

  #claim(call: Call): void {
    const { name } = call;
    if (typeof name !== "string" || !NAME.test(name)) {
      throw new TypeError(
        `a name is 1 to 100 characters without control characters, got ${JSON.stringify(name)}`,
      );
    }
    const before = this.#named.get(name);
    if (before !== undefined) {
      throw new RecordError(
        `the name "${name}" is that of ${before} before: give each call its own, in a loop with a number`,
      );
    }
    this.#named.set(name, inWords(call));
  }
}

/** What a handler asks for does not go with what is on record: its run fails, whatever it catches. */
export class RecordError extends Error {
  override readonly name = "RecordError";
}

interface Call {
  readonly kind: RecordEntry["kind"];
  readonly name: string;
}

const HELP =
  "a run that was kept goes on with the code as it is now, so its calls, their names and their order stay until it has ended";

/** Actions, state and look-ups are known by their place alone. */
const UNNAMED: ReadonlySet<RecordEntry["kind"]> = new Set([
  "act",
  "set",
  "get",
  "look",
  "handOver",
]);

function isNamed(kind: RecordEntry["kind"]): boolean {
  return !UNNAMED.has(kind);
}

function isOf<K extends RecordEntry["kind"]>(
  entry: RecordEntry,
  kind: K,
): entry is Extract<RecordEntry, { kind: K }> {
  return entry.kind === kind;
}

function inWords({ kind, name }: Call): string {
  const quoted = JSON.stringify(name);
  switch (kind) {
    case "act":
      return `the action ${name}`;
    case "set":
    case "get":
      return `ctx.state.${kind} of ${name}`;
    case "look":
      return `ctx.client's ${name}`;
    case "handOver":
      return `ctx.handOver to ${quoted}`;
    case "wait":
      return `ctx.waitFor(${quoted})`;
    case "step":
    case "sleep":
    case "ask":
      return `ctx.${kind}(${quoted})`;
  }
}
