import type { Action } from "../../actions/actions.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import { type FreshRequest, keyOf } from "./fresh-entries.ts";
import { endsTooLate } from "./late-call.ts";
import {
  isWait,
  type KeptWait,
  type NewWait,
  type AskedChange,
  type AskedHandOver,
  type StateName,
  type StateRead,
  type StepEnd,
} from "./record.ts";
import { never, RecordedRun, type RecorderNeeds } from "./recorded-run.ts";
import type { SendOutcome } from "./send-outcome.ts";
import { StepCalls } from "./step-calls.ts";
import { cutOff, endOfStep, errorOf, keptError } from "./step-end.ts";

/**
 * Executes the durable calls of a handler. A recorded call returns its recorded result; a new call is executed and
 * recorded. The entries of calls inside a step are not needed any more when the step's result is recorded.
 */
export class Recorder extends RecordedRun {
  #now: number;

  constructor(needs: RecorderNeeds) {
    super(needs);
    this.#now = needs.startedAt;
  }

  /** Time at which the run started or its last wait ended, in milliseconds since the epoch. */
  get now(): number {
    return this.#now;
  }

  /**
   * Records the request of an action.
   *
   * @param call Name of the call in the author's code, such as `ctx.reply`.
   * @param createAction Returns the action; not called if the handler has ended.
   */
  act(call: string, createAction: () => Action): Promise<void> {
    if (this.isOver) return this.over(call);
    const step = this.stepHere(call);
    const action = createAction();
    return this.ask({ entry: { kind: "act", name: action.type }, action }, step);
  }

  /** Like `act`, but stores the action at once, and waits up to `ms` milliseconds for its outcome. */
  async actNow(call: string, ms: number, createAction: () => Action): Promise<SendOutcome> {
    if (this.isOver) return this.over(call);
    const step = this.stepHere(call);
    const action = createAction();
    const entry = { kind: "act", name: action.type, ...(step && { in: step.place }) } as const;
    const fresh: FreshRequest = { entry: { ...entry, now: true }, action };
    const { place, recordedEntry } = this.guarded(() => this.#leaving(fresh, step));
    if (recordedEntry?.settled !== undefined) {
      return this.underWay.given<SendOutcome>(recordedEntry.settled, {
        value: recordedEntry.outcome ?? NOT_KNOWN,
      });
    }
    return this.underWay.during(async () => {
      await this.keep();
      const outcome = await this.needs.outcome(place, ms);
      const settled = this.underWay.reserve();
      this.fresh.add(place, { entry: { ...entry, settled, outcome } });
      return await this.underWay.given<SendOutcome>(settled, { value: structuredClone(outcome) });
    });
  }

  /** Performs a look-up on the platform, and records its result. */
  async look(call: string, name: string, work: () => Promise<Json>): Promise<StepEnd> {
    if (this.isOver) return this.over(call);
    const { place, recordedEntry } = this.guarded(() => this.calls.take("look", name));
    if (recordedEntry !== undefined) return this.#inTurn(recordedEntry.settled, recordedEntry);
    return this.underWay.during(async () => {
      const end: StepEnd = await work().then(
        (value) => ({ value }),
        (error: unknown) => ({ error: keptError(error) }),
      );
      const settled = this.underWay.reserve();
      this.fresh.add(place, { entry: { kind: "look", name, settled, ...end } });
      return await this.#inTurn(settled, end);
    });
  }

  handOver(call: string, handOver: AskedHandOver): Promise<void> {
    if (this.isOver) return this.over(call);
    const step = this.stepHere(call);
    return this.ask({ entry: { kind: "handOver", name: handOver.queue }, handOver }, step);
  }

  /** Runs and records a step. @param isOnce Whether an interrupted step is not repeated (at-most-once). */
  async step<R>(name: string, work: () => R | Promise<R>, isOnce = false): Promise<R> {
    if (this.isOver) return this.over("ctx.step");
    const outer = this.stepHere("ctx.step");
    const { place, recordedEntry } = this.guarded(() => this.calls.takeStep(name, outer?.place));
    if (recordedEntry?.settled !== undefined) {
      for (const key of this.calls.changedIn(place)) outer?.overtake(key);
      return this.underWay.given(recordedEntry.settled, recordedEntry);
    }
    const step = new StepCalls(this, { place, name, outer });
    const entry = {
      kind: "step",
      name,
      ...(outer && { in: outer.place }),
      ...marksOf(recordedEntry),
    } as const;
    const openSteps = outer?.openSteps ?? this.openSteps;
    const unwaited = endsTooLate(name, outer?.name);
    openSteps.add(unwaited);
    const begun = isOnce ? ({ begun: true } as const) : {};
    const done = this.underWay.during(async () => {
      if (recordedEntry === undefined) this.fresh.add(place, { entry: { ...entry, ...begun } });
      if (outer !== undefined) this.give(outer, outer.takeAnswers());
      // Earlier requests are stored and sent before the step, because the step may take long. This also detects
      // conflicting changes of state before the step has any effect.
      if (isOnce || this.fresh.doesSomething) await this.keep();
      const isCutOff = recordedEntry?.begun === true;
      const { storedEnd, thrown } = isCutOff
        ? { storedEnd: cutOff(name), thrown: undefined }
        : await step.during(() => endOfStep(name, work));
      if (this.isOver) return never();
      for (const error of step.openSteps) this.needs.onLate(error);
      if (outer?.isOver === true) throw unwaited;
      const settled = this.underWay.reserve();
      this.fresh.add(place, { entry: { ...entry, settled, ...storedEnd } });
      this.give(step, step.takeAll(this.fresh));
      await this.keep();
      return this.underWay.given<R>(settled, storedEnd, thrown);
    });
    return done.finally(() => openSteps.delete(unwaited));
  }

  /** Waits for a time or an event. A question is sent at the start of the wait. */
  wait(newWait: NewWait, question?: Action): Promise<AccountEvent | undefined> {
    if (this.isOver) return this.over(`ctx.${newWait.kind === "wait" ? "waitFor" : newWait.kind}`);
    const { place, recordedEntry } = this.guarded(() =>
      this.calls.take(newWait.kind, newWait.name),
    );
    if (
      recordedEntry !== undefined &&
      isWait(recordedEntry) &&
      recordedEntry.settled !== undefined
    ) {
      return this.#woken(recordedEntry, recordedEntry.settled);
    }
    if (recordedEntry === undefined) {
      this.fresh.add(place, { entry: newWait, ...(question && { action: question }) });
    }
    this.underWay.waitsFor();
    return never();
  }

  /**
   * Reads a stored value, and records it.
   *
   * @param isHeld Whether the read must not be stored yet: `update` stores it together with the change.
   */
  async get(name: StateName, isHeld?: () => boolean): Promise<Json | undefined> {
    if (this.isOver) return this.over("ctx.state.get");
    const step = this.stepHere("ctx.state.get");
    const called = keyOf(name);
    if (step !== undefined) return this.#getIn(step, name, called);
    const { place, recordedEntry } = this.guarded(() => this.calls.take("get", called));
    if (recordedEntry !== undefined)
      return this.underWay.given<Json | undefined>(recordedEntry.settled, recordedEntry);
    return this.underWay.during(async () => {
      const own = this.fresh.changeOf(name);
      const read = own === undefined ? await this.#readOnce(name) : undefined;
      const { value } = own ?? read ?? {};
      const settled = this.underWay.reserve();
      const readResult = value === undefined ? {} : { value };
      const entry = { kind: "get", name: called, settled, ...readResult } as const;
      this.fresh.add(place, { entry, ...(isHeld && { isHeld }) });
      if (read !== undefined) this.fresh.hasRead(name, read);
      return await this.underWay.given<Json | undefined>(settled, readResult);
    });
  }

  /** Returns the value that the handler has read before, or reads the stored value. */
  async #readOnce(name: StateName): Promise<StateRead> {
    const read = this.fresh.readOf(name) ?? (await this.needs.read(name));
    // A concurrent call of the handler may have recorded an earlier version of the value: all calls get that version.
    return this.fresh.readOf(name) ?? read;
  }

  /** Reads a stored value inside a step. Such reads are not recorded; only records of earlier versions have them. */
  async #getIn(step: StepCalls, name: StateName, called: string): Promise<Json | undefined> {
    const recordedRead = this.guarded(() => this.calls.inStep(step.place, "get", called));
    const own = step.changeOf(name) ?? this.fresh.changeOf(name);
    if (own !== undefined) return own.value;
    if (recordedRead !== undefined) return recordedRead.recordedEntry.value;
    const read = await this.needs.read(name);
    step.hasRead(name, read);
    return read.value;
  }

  set(change: AskedChange): Promise<void> {
    if (this.isOver) return this.over("ctx.state.set");
    const step = this.stepHere("ctx.state.set");
    return this.ask({ entry: { kind: "set", name: keyOf(change) }, change }, step);
  }

  /** Assigns a place to an action of `sendNow`. Inside a step, the step's earlier actions are sent with this action. */
  #leaving(fresh: FreshRequest, step: StepCalls | undefined) {
    const { name } = fresh.entry;
    if (step === undefined) {
      const takenCall = this.calls.take("act", name);
      if (takenCall.recordedEntry === undefined) this.fresh.add(takenCall.place, fresh);
      return takenCall;
    }
    const recordedCall = this.calls.inStep(step.place, "act", name, true);
    if (recordedCall !== undefined) return recordedCall;
    this.give(step, step.takeAnswers());
    return { place: this.give(step, [fresh]), recordedEntry: undefined };
  }

  /** Resolves with a result when all results with smaller numbers have been delivered. */
  #inTurn(settled: number, end: StepEnd): Promise<StepEnd> {
    return new Promise((resolve) => this.underWay.inTurn(settled, () => resolve(end)));
  }

  #woken({ event, error, at }: KeptWait, settled: number): Promise<AccountEvent | undefined> {
    return new Promise((resolve, reject) => {
      this.underWay.inTurn(settled, () => {
        this.#now = at ?? this.#now;
        if (error !== undefined) reject(errorOf(error));
        else resolve(event);
      });
    });
  }
}

/**
 * Returns the field `callsMarked` for a step. A step that an earlier version started stays without this field, because
 * its first calls were recorded like calls outside steps.
 */
function marksOf(recordedStep: { readonly callsMarked?: true } | undefined): {
  readonly callsMarked?: true;
} {
  return recordedStep === undefined || recordedStep.callsMarked === true
    ? { callsMarked: true }
    : {};
}

/** Outcome of a `sendNow` that an earlier version recorded: these records contain no outcome. */
const NOT_KNOWN: SendOutcome = { status: "pending" };
