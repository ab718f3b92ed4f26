import type { Action } from "../../actions/actions.ts";
import type { AccountEvent } from "../../events/event.ts";
import { UsageError } from "../../errors.ts";
import type { Json } from "../../protocol/json.ts";
import { type FreshRequest, FreshEntries, keyOf } from "./fresh-entries.ts";
import { calledTooLate, endsTooLate, type LateCallError, stepEndedBefore } from "./late-call.ts";
import {
  type HandlerRecord,
  isWait,
  type KeptWait,
  lastSettled,
  type NewWait,
  type Progress,
  type AskedChange,
  type AskedHandOver,
  type StateName,
  type StateRead,
  type StepEnd,
} from "./record.ts";
import { RecordedCalls, RecordError } from "./recorded-calls.ts";
import type { SendOutcome } from "./send-outcome.ts";
import { StepCalls, stepUnderWay } from "./step-calls.ts";
import { cutOff, endOfStep, errorOf, keptError } from "./step-end.ts";
import { UnderWay } from "./under-way.ts";

export interface RecorderNeeds {
  /** What was kept of the run before. */
  readonly record: HandlerRecord;
  /** When the run was started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Keeps what has come since. */
  readonly keep: (progress: Progress) => Promise<void>;
  readonly read: (name: StateName) => Promise<StateRead>;
  /** What has become of the action at a place of the record, within `ms` milliseconds. */
  readonly outcome: (place: number, ms: number) => Promise<SendOutcome>;
  /** Something of the handler went on after it had returned. */
  readonly onLate: (error: LateCallError) => void;
}

/**
 * One time that a handler is run: what it asks for is answered from the record, or done and put into it. What is called
 * in a step belongs to the step: once its result is on record, nothing asks for those calls again.
 */
export class Recorder {
  /** Resolves when the handler waits for something; rejects when it can't go on with its record. */
  readonly stopped: Promise<void>;
  readonly #needs: RecorderNeeds;
  readonly #calls: RecordedCalls;
  readonly #underWay: UnderWay;
  readonly #fresh = new FreshEntries();
  #wait = (): void => {};
  #fail = (_error: Error): void => {};
  #isOver = false;
  #hasReturned = false;
  /** Steps that have not ended, each with what is told if the handler does not wait for it. */
  readonly #openSteps = new Set<LateCallError>();
  #now: number;
  #keeping: Promise<void> = Promise.resolve();

  constructor(needs: RecorderNeeds) {
    this.#needs = needs;
    this.#now = needs.startedAt;
    this.#calls = new RecordedCalls(needs.record, () => this.#underWay.delivered);
    this.#underWay = new UnderWay(lastSettled(needs.record), () => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.#wait();
    });
    this.stopped = new Promise((resolve, reject) => {
      this.#wait = resolve;
      this.#fail = reject;
    });
    // nobody waits for it while a handler is loaded or has ended
    this.stopped.catch(() => {});
  }

  /** The time of what the handler has got last, in milliseconds since the epoch. */
  get now(): number {
    return this.#now;
  }

  /** What comes now is on record: it has been done before. */
  get isRepeating(): boolean {
    return this.#calls.isRepeating && stepUnderWay(this) === undefined;
  }

  /** Whether something is called in a step of this handler: what comes of it is kept with the step. */
  isInStep(call: string): boolean {
    return this.#step(call) !== undefined;
  }

  /** @throws {UsageError} in a step: its function is not left and begun again. */
  mustBeBesideSteps(call: string): void {
    const step = this.#step(call);
    if (step === undefined) return;
    throw new UsageError(
      `${call} can't wait in ctx.step(${JSON.stringify(step.name)}): a step is done in one go, so put it before the step or after it`,
    );
  }

  /**
   * What has come since the record was kept last. The handler gets nothing more.
   *
   * @param hasReturned It has come to its end: who calls later has forgotten to wait.
   */
  close({ hasReturned = false } = {}): Progress {
    this.#isOver = true;
    this.#hasReturned = hasReturned;
    if (hasReturned) for (const error of this.#openSteps) this.#needs.onLate(error);
    return this.#fresh.takeAll();
  }

  /** @throws {RecordError} when the record goes on. */
  end(): void {
    this.#guarded(() => this.#calls.end());
  }

  /**
   * @param call What the author wrote: `ctx.reply`.
   * @param asked Gives the action; it is asked for only if the handler goes on.
   */
  act(call: string, asked: () => Action): Promise<void> {
    if (this.#isOver) return this.#over(call);
    const step = this.#step(call);
    const action = asked();
    return this.#ask({ entry: { kind: "act", name: action.type }, action }, step);
  }

  /** As `act`; has it kept at once, and waits at most `ms` milliseconds for what becomes of it. */
  async actNow(call: string, ms: number, asked: () => Action): Promise<SendOutcome> {
    if (this.#isOver) return this.#over(call);
    const step = this.#step(call);
    const action = asked();
    const entry = { kind: "act", name: action.type, ...(step && { in: step.place }) } as const;
    const fresh: FreshRequest = { entry: { ...entry, now: true }, action };
    const { place, known } = this.#guarded(() => this.#leaving(fresh, step));
    if (known?.settled !== undefined) {
      return this.#underWay.given<SendOutcome>(known.settled, {
        value: known.outcome ?? NOT_KNOWN,
      });
    }
    return this.#underWay.during(async () => {
      await this.#keep();
      const outcome = await this.#needs.outcome(place, ms);
      const settled = this.#underWay.reserve();
      this.#fresh.add(place, { entry: { ...entry, settled, outcome } });
      return await this.#underWay.given<SendOutcome>(settled, { value: outcome });
    });
  }

  /** Looks something up, and remembers what came of it as `get` does. */
  async look(call: string, name: string, work: () => Promise<Json>): Promise<StepEnd> {
    if (this.#isOver) return this.#over(call);
    const { place, known } = this.#guarded(() => this.#calls.take("look", name));
    if (known !== undefined) return this.#inTurn(known.settled, known);
    return this.#underWay.during(async () => {
      const end: StepEnd = await work().then(
        (value) => ({ value }),
        (error: unknown) => ({ error: keptError(error) }),
      );
      const settled = this.#underWay.reserve();
      this.#fresh.add(place, { entry: { kind: "look", name, settled, ...end } });
      return await this.#inTurn(settled, end);
    });
  }

  handOver(call: string, handOver: AskedHandOver): Promise<void> {
    if (this.#isOver) return this.#over(call);
    const step = this.#step(call);
    return this.#ask({ entry: { kind: "handOver", name: handOver.queue }, handOver }, step);
  }

  /** @param isOnce It is done at most once: one that was cut off is not done again. */
  async step<R>(name: string, work: () => R | Promise<R>, isOnce = false): Promise<R> {
    if (this.#isOver) return this.#over("ctx.step");
    const outer = this.#step("ctx.step");
    const { place, known } = this.#guarded(() => this.#calls.takeStep(name, outer?.place));
    if (known?.settled !== undefined) {
      for (const key of this.#calls.changedIn(place)) outer?.overtake(key);
      return this.#underWay.given(known.settled, known);
    }
    const step = new StepCalls(this, { place, name, outer });
    const entry = {
      kind: "step",
      name,
      ...(outer && { in: outer.place }),
      ...marksOf(known),
    } as const;
    const openSteps = outer?.openSteps ?? this.#openSteps;
    const unwaited = endsTooLate(name, outer?.name);
    openSteps.add(unwaited);
    const begun = isOnce ? ({ begun: true } as const) : {};
    const done = this.#underWay.during(async () => {
      if (known === undefined) this.#fresh.add(place, { entry: { ...entry, ...begun } });
      if (outer !== undefined) this.#give(outer, outer.takeAnswers());
      // What was asked for before goes out before something that may take long; and state that has changed
      // meanwhile is found before anything is done.
      if (isOnce || this.#fresh.doesSomething) await this.#keep();
      const isCutOff = known?.begun === true;
      const { kept, thrown } = isCutOff
        ? { kept: cutOff(name), thrown: undefined }
        : await step.during(() => endOfStep(name, work));
      if (this.#isOver) return never();
      for (const error of step.openSteps) this.#needs.onLate(error);
      if (outer?.isOver === true) throw unwaited;
      const settled = this.#underWay.reserve();
      this.#fresh.add(place, { entry: { ...entry, settled, ...kept } });
      this.#give(step, step.takeAll(this.#fresh));
      await this.#keep();
      return this.#underWay.given<R>(settled, kept, thrown);
    });
    return done.finally(() => openSteps.delete(unwaited));
  }

  /** Waits for something; a question goes out with it. */
  wait(asked: NewWait, question?: Action): Promise<AccountEvent | undefined> {
    if (this.#isOver) return this.#over(`ctx.${asked.kind === "wait" ? "waitFor" : asked.kind}`);
    const { place, known } = this.#guarded(() => this.#calls.take(asked.kind, asked.name));
    if (known !== undefined && isWait(known) && known.settled !== undefined) {
      return this.#woken(known, known.settled);
    }
    if (known === undefined) {
      this.#fresh.add(place, { entry: asked, ...(question && { action: question }) });
    }
    this.#underWay.waitsFor();
    return never();
  }

  async get(name: StateName): Promise<Json | undefined> {
    if (this.#isOver) return this.#over("ctx.state.get");
    const step = this.#step("ctx.state.get");
    const called = keyOf(name);
    if (step !== undefined) return this.#getIn(step, name, called);
    const { place, known } = this.#guarded(() => this.#calls.take("get", called));
    if (known !== undefined) return this.#underWay.given<Json | undefined>(known.settled, known);
    return this.#underWay.during(async () => {
      const { value, version } = this.#fresh.changeOf(name) ?? (await this.#needs.read(name));
      const settled = this.#underWay.reserve();
      const found = value === undefined ? {} : { value };
      this.#fresh.add(place, { entry: { kind: "get", name: called, settled, ...found } });
      if (version !== undefined) this.#fresh.hasRead(name, version);
      return await this.#underWay.given<Json | undefined>(settled, found);
    });
  }

  /** What a step reads is not put on record: its result is. */
  async #getIn(step: StepCalls, name: StateName, called: string): Promise<Json | undefined> {
    const found = this.#guarded(() => this.#calls.inStep(step.place, "get", called));
    const own = step.changeOf(name) ?? this.#fresh.changeOf(name);
    if (own !== undefined) return own.value;
    if (found !== undefined) return found.known.value;
    const { value, version } = await this.#needs.read(name);
    step.hasRead(name, version);
    return value;
  }

  set(change: AskedChange): Promise<void> {
    if (this.#isOver) return this.#over("ctx.state.set");
    const step = this.#step("ctx.state.set");
    return this.#ask({ entry: { kind: "set", name: keyOf(change) }, change }, step);
  }

  /**
   * The step of this handler in which something is called; undefined beside its steps.
   *
   * @throws {LateCallError} where that step has ended.
   */
  #step(call: string): StepCalls | undefined {
    const step = stepUnderWay(this);
    if (step?.isOver !== true) return step;
    const error = stepEndedBefore(call, step.name);
    this.#needs.onLate(error);
    throw error;
  }

  /** Something is asked for, and nobody waits for what becomes of it. */
  #ask(fresh: FreshRequest, step: StepCalls | undefined): Promise<void> {
    const { kind, name } = fresh.entry;
    this.#guarded(() => {
      if (step === undefined) {
        const { place, known } = this.#calls.take(kind, name);
        if (known === undefined) this.#fresh.add(place, fresh);
      } else if (this.#calls.inStep(step.place, kind, name) === undefined) step.add(fresh);
    });
    return Promise.resolve();
  }

  /**
   * Puts what a step has asked for among what is to be kept.
   *
   * @returns The place of the last of it.
   */
  #give(step: StepCalls, all: readonly FreshRequest[]): number {
    let last = step.place;
    for (const { entry, ...fresh } of all) {
      last = this.#guarded(() => this.#calls.placeInStep());
      this.#fresh.add(last, { entry: { ...entry, in: step.place }, ...fresh });
    }
    return last;
  }

  /** Finds the place of an action that leaves at once, in a step with all answers of the step before it. */
  #leaving(fresh: FreshRequest, step: StepCalls | undefined) {
    const { name } = fresh.entry;
    if (step === undefined) {
      const taken = this.#calls.take("act", name);
      if (taken.known === undefined) this.#fresh.add(taken.place, fresh);
      return taken;
    }
    const found = this.#calls.inStep(step.place, "act", name, true);
    if (found !== undefined) return found;
    this.#give(step, step.takeAnswers());
    return { place: this.#give(step, [fresh]), known: undefined };
  }
  /** What has come of something, as it is kept, in its turn. */
  #inTurn(settled: number, end: StepEnd): Promise<StepEnd> {
    return new Promise((resolve) => this.#underWay.inTurn(settled, () => resolve(end)));
  }

  #woken({ event, error, at }: KeptWait, settled: number): Promise<AccountEvent | undefined> {
    return new Promise((resolve, reject) => {
      this.#underWay.inTurn(settled, () => {
        this.#now = at ?? this.#now;
        if (error !== undefined) reject(errorOf(error));
        else resolve(event);
      });
    });
  }

  #keep(): Promise<void> {
    // one after the other, and what has come meanwhile goes with the next
    this.#keeping = this.#keepAfter(this.#keeping);
    return this.#keeping;
  }

  async #keepAfter(before: Promise<void>): Promise<void> {
    await before;
    if (this.#isOver) return never();
    const progress = this.#fresh.takeKeepable();
    if (progress.entries.length > 0) await this.#needs.keep(progress);
  }

  /** Nothing comes of it: the handler has returned, or it is run again. */
  #over<R>(call: string): Promise<R> {
    if (!this.#hasReturned) return never();
    const error = calledTooLate(call);
    this.#needs.onLate(error);
    return Promise.reject(error);
  }

  /** What is wrong with the record fails the run, whether or not the handler catches it. */
  #guarded<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (error instanceof RecordError) this.#fail(error);
      throw error;
    }
  }
}

/** One that was begun in an earlier version has calls of its own among the handler's. */
function marksOf(known: { readonly callsMarked?: true } | undefined): {
  readonly callsMarked?: true;
} {
  return known === undefined || known.callsMarked === true ? { callsMarked: true } : {};
}

/** A record from before outcomes were kept. */
const NOT_KNOWN: SendOutcome = { status: "pending" };

/** What waits in a handler that has ended: it is run again from its start. */
function never(): Promise<never> {
  return new Promise(() => {});
}
