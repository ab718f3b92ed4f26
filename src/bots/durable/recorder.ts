import { AsyncLocalStorage } from "node:async_hooks";
import type { Action } from "../../actions/actions.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import { FreshEntries } from "./fresh-entries.ts";
import { calledTooLate, endsTooLate, type LateCallError } from "./late-call.ts";
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

/** The handler in one of whose steps something is called. */
const IN_STEP = new AsyncLocalStorage<Recorder>();

/** One time that a handler is run: what it asks for is answered from the record, or done and put into it. */
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
    this.#calls = new RecordedCalls(needs.record);
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
    return this.#calls.isRepeating;
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
    const action = asked();
    const { place, known } = this.#guarded(() => this.#calls.take("act", action.type));
    if (known === undefined) {
      this.#fresh.add(place, { entry: { kind: "act", name: action.type }, action });
    }
    return Promise.resolve();
  }

  /** As `act`; has it kept at once, and waits at most `ms` milliseconds for what becomes of it. */
  async actNow(call: string, ms: number, asked: () => Action): Promise<SendOutcome> {
    if (this.#isOver) return this.#over(call);
    const action = asked();
    const { place, known } = this.#guarded(() => this.#calls.take("act", action.type));
    if (known?.settled !== undefined) {
      return this.#underWay.given<SendOutcome>(known.settled, {
        value: known.outcome ?? NOT_KNOWN,
      });
    }
    return this.#underWay.during(async () => {
      const entry = { kind: "act", name: action.type } as const;
      if (known === undefined) this.#fresh.add(place, { entry: { ...entry, now: true }, action });
      await this.#keep();
      const outcome = await this.#needs.outcome(place, ms);
      const settled = this.#underWay.reserve();
      this.#fresh.add(place, { entry: { ...entry, settled, outcome } });
      return await this.#underWay.given<SendOutcome>(settled, { value: outcome });
    });
  }

  /** Something is called from within a step of this handler: what comes of it is kept with the step. */
  get isInStep(): boolean {
    return IN_STEP.getStore() === this;
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
    const { queue: name } = handOver;
    const { place, known } = this.#guarded(() => this.#calls.take("handOver", name));
    if (known === undefined)
      this.#fresh.add(place, { entry: { kind: "handOver", name }, handOver });
    return Promise.resolve();
  }

  /** @param isOnce It is done at most once: one that was cut off is not done again. */
  async step<R>(name: string, work: () => R | Promise<R>, isOnce = false): Promise<R> {
    if (this.#isOver) return this.#over("ctx.step");
    const { place, known } = this.#guarded(() => this.#calls.take("step", name));
    if (known?.settled !== undefined) return this.#underWay.given(known.settled, known);
    const unwaited = endsTooLate(name);
    this.#openSteps.add(unwaited);
    const begun = isOnce ? ({ begun: true } as const) : {};
    const done = this.#underWay.during(async () => {
      if (known === undefined) this.#fresh.add(place, { entry: { kind: "step", name, ...begun } });
      // What was asked for before goes out before something that may take long; and state that has changed
      // meanwhile is found before anything is done.
      if (isOnce || this.#fresh.doesSomething) await this.#keep();
      const isCutOff = known?.begun === true;
      const { kept, thrown } = isCutOff
        ? { kept: cutOff(name), thrown: undefined }
        : await IN_STEP.run(this, () => endOfStep(name, work));
      const settled = this.#underWay.reserve();
      this.#fresh.add(place, { entry: { kind: "step", name, settled, ...kept } });
      await this.#keep();
      return this.#underWay.given<R>(settled, kept, thrown);
    });
    return done.finally(() => this.#openSteps.delete(unwaited));
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

  async get({ of, name }: StateName): Promise<Json | undefined> {
    if (this.#isOver) return this.#over("ctx.state.get");
    const called = `${of}.${name}`;
    const { place, known } = this.#guarded(() => this.#calls.take("get", called));
    if (known !== undefined) return this.#underWay.given<Json | undefined>(known.settled, known);
    return this.#underWay.during(async () => {
      const changed = this.#fresh.changeOf({ of, name });
      const { value, version } = changed ?? (await this.#needs.read({ of, name }));
      const settled = this.#underWay.reserve();
      const found = value === undefined ? {} : { value };
      this.#fresh.add(place, { entry: { kind: "get", name: called, settled, ...found } });
      if (version !== undefined) this.#fresh.hasRead({ of, name }, version);
      return await this.#underWay.given<Json | undefined>(settled, found);
    });
  }

  set(change: AskedChange): Promise<void> {
    if (this.#isOver) return this.#over("ctx.state.set");
    const name = `${change.of}.${change.name}`;
    const { place, known } = this.#guarded(() => this.#calls.take("set", name));
    if (known === undefined) this.#fresh.add(place, { entry: { kind: "set", name }, change });
    return Promise.resolve();
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

/** A record from before outcomes were kept. */
const NOT_KNOWN: SendOutcome = { status: "pending" };

/** What waits in a handler that has ended: it is run again from its start. */
function never(): Promise<never> {
  return new Promise(() => {});
}
