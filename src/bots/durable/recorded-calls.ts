import { type HandlerRecord, isWait, type RecordEntry, stepOf } from "./record.ts";

/** Maximum number of calls of a handler, far more than a conversation needs. It stops endless loops. */
const MAX_CALLS = 1_000;
/** Pattern for the names of calls, which appear in errors and in `answerback trace`. */
const NAME = /^[^\p{C}]{1,100}$/u;

/** A call's place (index) in the record, and its recorded entry, if there is one. */
interface TakenCall<K extends RecordEntry["kind"]> {
  readonly place: number;
  readonly recordedEntry: Extract<RecordEntry, { kind: K }> | undefined;
}

/** Compares the calls that a handler makes with the record of its run, in order. */
export class RecordedCalls {
  readonly #record: HandlerRecord;
  readonly #delivered: () => number;
  /** Descriptions of the calls made so far, by place of their step (undefined outside steps), then by name. */
  readonly #named = new Map<number | undefined, Map<string, string>>();
  /** Places in the record of calls that belong to steps. */
  readonly #inSteps = new Set<number>();
  /** Places in the record that were matched with a call of this execution. */
  readonly #taken = new Set<number>();
  /** Steps that earlier versions recorded. Their calls have no field `in`, so they look like calls outside steps. */
  readonly #earlierSteps: readonly { readonly place: number; readonly settled: number }[];
  #next = 0;
  /** First place after the end of the record. */
  #free: number;

  /** @param delivered Returns the number of the last result that the handler has received. */
  constructor(record: HandlerRecord, delivered: () => number) {
    this.#record = record;
    this.#delivered = delivered;
    this.#free = record.length;
    for (const [place, entry] of record.entries()) {
      if (stepOf(entry) !== undefined) this.#inSteps.add(place);
    }
    this.#earlierSteps = record.flatMap((entry, place) =>
      entry?.kind === "step" && entry.callsMarked !== true
        ? [{ place, settled: entry.settled ?? Infinity }]
        : [],
    );
  }

  /**
   * Assigns the next place in the record to a call outside steps, and returns the entry at this place, if there is one.
   *
   * @throws {TypeError} if the name is invalid.
   * @throws {RecordError} if the name is a duplicate, or the record has another call at this place.
   */
  take<K extends RecordEntry["kind"]>(kind: K, name: string): TakenCall<K> {
    const call = { kind, name };
    this.#claim(call);
    const place = withinBounds(this.#placeOf(call));
    const recordedEntry = this.#record[place] ?? undefined;
    if (recordedEntry !== undefined && !isSame(recordedEntry, call)) {
      throw new RecordError(
        `${inWords(call)} comes where the run has ${inWords(recordedEntry)} on record, as call ${place + 1}: ${HELP}`,
      );
    }
    this.#taken.add(place);
    this.#next = place + 1;
    this.#free = Math.max(this.#free, this.#next);
    return { place, recordedEntry };
  }

  /**
   * Finds the recorded entry of a call in a step that was interrupted and runs again. The step's function may make
   * other calls this time, so calls are matched by kind and name instead of place.
   *
   * @param isNow Whether the call is an action for whose outcome the step waits.
   */
  inStep<K extends RecordEntry["kind"]>(
    step: number,
    kind: K,
    name: string,
    isNow = false,
  ):
    | { readonly place: number; readonly recordedEntry: Extract<RecordEntry, { kind: K }> }
    | undefined {
    const call = { kind, name };
    this.#claim(call, step);
    const isEarlier = this.#earlierSteps.some(({ place }) => place === step);
    for (const [place, recordedEntry] of this.#record.entries()) {
      const of = stepOf(recordedEntry);
      const mayBeOfStep = of === step || (isEarlier && of === undefined && place > step);
      if (recordedEntry === null || !mayBeOfStep || this.#taken.has(place)) continue;
      if (!isSame(recordedEntry, call) || waitsForOutcome(recordedEntry) !== isNow) continue;
      this.#taken.add(place);
      this.#inSteps.add(place);
      return { place, recordedEntry };
    }
    return undefined;
  }

  /**
   * Assigns a place in the record to a step, and returns the step's recorded entry, if there is one.
   *
   * @param outer Place of the enclosing step.
   */
  takeStep(name: string, outer: number | undefined): TakenCall<"step"> {
    if (outer === undefined) return this.take("step", name);
    return (
      this.inStep(outer, "step", name) ?? { place: this.placeInStep(), recordedEntry: undefined }
    );
  }

  /** Assigns a place after the end of the record to a new call inside a step. */
  placeInStep(): number {
    const place = withinBounds(this.#free);
    this.#free += 1;
    this.#inSteps.add(place);
    return place;
  }

  /** Returns the names of values that a recorded step has changed, including changes by its nested steps. */
  changedIn(step: number): readonly string[] {
    return this.#record.flatMap((entry, place) => {
      if (entry === null || stepOf(entry) !== step) return [];
      if (entry.kind === "step") return this.changedIn(place);
      return entry.kind === "set" ? [entry.name] : [];
    });
  }

  /** Whether the record contains the handler's next call. */
  get isRepeating(): boolean {
    return this.#beside(this.#next) < this.#record.length;
  }

  /** Lets the next handler of the event use the names of this one: calls are matched by their order. */
  beginHandler(): void {
    this.#named.delete(undefined);
  }

  /**
   * Checks at the end of the handler that it has made all recorded calls.
   *
   * @throws {RecordError} if the record has more calls.
   */
  end(): void {
    const place = this.#placeOf(undefined);
    const next = this.#record.slice(place).find((entry) => entry !== null);
    if (!next) return;
    throw new RecordError(
      `the handler ended where the run has ${inWords(next)} on record: ${HELP}`,
    );
  }

  /** Returns the place of the handler's next call; with `call` undefined, the place after its last call. */
  #placeOf(call: Call | undefined): number {
    let place = this.#beside(this.#next);
    while (this.#wasInStep(place, call)) place = this.#beside(place + 1);
    return place;
  }

  /** Returns the first place from `from` on that belongs to no step. */
  #beside(from: number): number {
    let place = from;
    while (this.#inSteps.has(place)) place += 1;
    return place;
  }

  /** Whether an earlier version probably recorded an entry inside a step, so that it is not the entry of `call`. */
  #wasInStep(place: number, call: Call | undefined): boolean {
    const entry = this.#record[place] ?? undefined;
    if (entry === undefined || isWait(entry) || entry.kind === "look") return false;
    const ended = ("settled" in entry ? entry.settled : 0) ?? 0;
    const isThis = call !== undefined && isSame(entry, call);
    return this.#earlierSteps.some((step) => {
      if (step.place >= place || ended >= step.settled) return false;
      // a call made after the step has ended has a result with a higher number than that of the step
      return !isThis || (ended > 0 && step.settled <= this.#delivered());
    });
  }

  #claim(call: Call, step?: number): void {
    const { kind, name } = call;
    if (!isNamed(kind)) return;
    if (typeof name !== "string" || !NAME.test(name)) {
      throw new TypeError(
        `a name is 1 to 100 characters without control characters, got ${JSON.stringify(name)}`,
      );
    }
    const named = this.#named.get(step) ?? new Map<string, string>();
    this.#named.set(step, named);
    const before = named.get(name);
    if (before !== undefined) {
      throw new RecordError(
        `the name "${name}" is that of ${before} before: give each call its own, in a loop with a number`,
      );
    }
    named.set(name, inWords(call));
  }
}

/** Error for calls of a handler that do not match the record. It fails the run, even if the handler catches it. */
export class RecordError extends Error {
  override readonly name = "RecordError";
}

interface Call {
  readonly kind: RecordEntry["kind"];
  readonly name: string;
}

const HELP =
  "a handler that runs again must make its recorded calls again, with the same names and in the same order. Put what may differ (the time, random numbers, variables of the module, requests) into a ctx.step; change recorded calls in the code only when no run is open";

/** Kinds of calls without a name of the author's: `name` is a verb or key, so two calls may have the same one. */
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

/** Whether an entry has the kind and name of a call. */
function isSame<K extends RecordEntry["kind"]>(
  entry: RecordEntry,
  { kind, name }: { readonly kind: K; readonly name: string },
): entry is Extract<RecordEntry, { kind: K }> {
  return entry.kind === kind && entry.name === name;
}

function waitsForOutcome(entry: RecordEntry): boolean {
  return entry.kind === "act" && (entry.now === true || entry.settled !== undefined);
}

/** Checks the place of a new call. @throws {RecordError} if the handler exceeds the maximum number of calls. */
function withinBounds(place: number): number {
  if (place < MAX_CALLS) return place;
  throw new RecordError(`a handler asks for ${MAX_CALLS} things at most for one event`);
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
