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
  type StepEnd,
} from "./record.ts";
import { never, RecordedRun, type RecorderNeeds } from "./recorded-run.ts";
import type { SendOutcome } from "./send-outcome.ts";
import { StepCalls } from "./step-calls.ts";
import { cutOff, endOfStep, errorOf, keptError } from "./step-end.ts";

/**
 * Executes the durable calls of a handler: a recorded call returns its recorded result, a new one is executed and
 * recorded. Calls within a step belong to the step and are not needed again once the step's result is recorded.
 */
export class Recorder extends RecordedRun {
  #now: number;

  constructor(needs: RecorderNeeds) {
    super(needs);
    this.#now = needs.startedAt;
  }

  /** Time of the last result that the handler received, in milliseconds since the epoch. */
  get now(): number {
    return this.#now;
  }

  /**
   * @param call Name that the author wrote, such as `ctx.reply`.
   * @param asked Returns the action; not called if the handler has ended.
   */
  act(call: string, asked: () => Action): Promise<void> {
    if (this.isOver) return this.over(call);
    const step = this.stepHere(call);
    const action = asked();
    return this.ask({ entry: { kind: "act", name: action.type }, action }, step);
  }

  /** Like `act`, but stores the action at once and waits up to `ms` milliseconds for its outcome. */
  async actNow(call: string, ms: number, asked: () => Action): Promise<SendOutcome> {
    if (this.isOver) return this.over(call);
    const step = this.stepHere(call);
    const action = asked();
    const entry = { kind: "act", name: action.type, ...(step && { in: step.place }) } as const;
    const fresh: FreshRequest = { entry: { ...entry, now: true }, action };
    const { place, known } = this.guarded(() => this.#leaving(fresh, step));
    if (known?.settled !== undefined) {
      return this.underWay.given<SendOutcome>(known.settled, {
        value: known.outcome ?? NOT_KNOWN,
      });
    }
    return this.underWay.during(async () => {
      await this.keep();
      const outcome = await this.needs.outcome(place, ms);
      const settled = this.underWay.reserve();
      this.fresh.add(place, { entry: { ...entry, settled, outcome } });
      return await this.underWay.given<SendOutcome>(settled, { value: outcome });
    });
  }

  /** Looks something up, and records the result like `get`. */
  async look(call: string, name: string, work: () => Promise<Json>): Promise<StepEnd> {
    if (this.isOver) return this.over(call);
    const { place, known } = this.guarded(() => this.calls.take("look", name));
    if (known !== undefined) return this.#inTurn(known.settled, known);
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

  /** @param isOnce At-most-once: an interrupted step is not repeated. */
  async step<R>(name: string, work: () => R | Promise<R>, isOnce = false): Promise<R> {
    if (this.isOver) return this.over("ctx.step");
    const outer = this.stepHere("ctx.step");
    const { place, known } = this.guarded(() => this.calls.takeStep(name, outer?.place));
    if (known?.settled !== undefined) {
      for (const key of this.calls.changedIn(place)) outer?.overtake(key);
      return this.underWay.given(known.settled, known);
    }
    const step = new StepCalls(this, { place, name, outer });
    const entry = {
      kind: "step",
      name,
      ...(outer && { in: outer.place }),
      ...marksOf(known),
    } as const;
    const openSteps = outer?.openSteps ?? this.openSteps;
    const unwaited = endsTooLate(name, outer?.name);
    openSteps.add(unwaited);
    const begun = isOnce ? ({ begun: true } as const) : {};
    const done = this.underWay.during(async () => {
      if (known === undefined) this.fresh.add(place, { entry: { ...entry, ...begun } });
      if (outer !== undefined) this.give(outer, outer.takeAnswers());
      // Stores and sends earlier requests before a step that may take long. This also detects conflicting changes of state
      // before the step has any effect.
      if (isOnce || this.fresh.doesSomething) await this.keep();
      const isCutOff = known?.begun === true;
      const { kept, thrown } = isCutOff
        ? { kept: cutOff(name), thrown: undefined }
        : await step.during(() => endOfStep(name, work));
      if (this.isOver) return never();
      for (const error of step.openSteps) this.needs.onLate(error);
      if (outer?.isOver === true) throw unwaited;
      const settled = this.underWay.reserve();
      this.fresh.add(place, { entry: { ...entry, settled, ...kept } });
      this.give(step, step.takeAll(this.fresh));
      await this.keep();
      return this.underWay.given<R>(settled, kept, thrown);
    });
    return done.finally(() => openSteps.delete(unwaited));
  }

  /** Waits for a time or an event; `question` is sent with it. */
  wait(asked: NewWait, question?: Action): Promise<AccountEvent | undefined> {
    if (this.isOver) return this.over(`ctx.${asked.kind === "wait" ? "waitFor" : asked.kind}`);
    const { place, known } = this.guarded(() => this.calls.take(asked.kind, asked.name));
    if (known !== undefined && isWait(known) && known.settled !== undefined) {
      return this.#woken(known, known.settled);
    }
    if (known === undefined) {
      this.fresh.add(place, { entry: asked, ...(question && { action: question }) });
    }
    this.underWay.waitsFor();
    return never();
  }

  async get(name: StateName): Promise<Json | undefined> {
    if (this.isOver) return this.over("ctx.state.get");
    const step = this.stepHere("ctx.state.get");
    const called = keyOf(name);
    if (step !== undefined) return this.#getIn(step, name, called);
    const { place, known } = this.guarded(() => this.calls.take("get", called));
    if (known !== undefined) return this.underWay.given<Json | undefined>(known.settled, known);
    return this.underWay.during(async () => {
      const { value, version } = this.fresh.changeOf(name) ?? (await this.needs.read(name));
      const settled = this.underWay.reserve();
      const found = value === undefined ? {} : { value };
      this.fresh.add(place, { entry: { kind: "get", name: called, settled, ...found } });
      if (version !== undefined) this.fresh.hasRead(name, version);
      return await this.underWay.given<Json | undefined>(settled, found);
    });
  }

  /** Reads a value in a step. The record has the step's result and omits its reads. */
  async #getIn(step: StepCalls, name: StateName, called: string): Promise<Json | undefined> {
    const found = this.guarded(() => this.calls.inStep(step.place, "get", called));
    const own = step.changeOf(name) ?? this.fresh.changeOf(name);
    if (own !== undefined) return own.value;
    if (found !== undefined) return found.known.value;
    const { value, version } = await this.needs.read(name);
    step.hasRead(name, version);
    return value;
  }

  set(change: AskedChange): Promise<void> {
    if (this.isOver) return this.over("ctx.state.set");
    const step = this.stepHere("ctx.state.set");
    return this.ask({ entry: { kind: "set", name: keyOf(change) }, change }, step);
  }

  /** Takes the place of an action that is sent at once; in a step, earlier answers of the step go with it. */
  #leaving(fresh: FreshRequest, step: StepCalls | undefined) {
    const { name } = fresh.entry;
    if (step === undefined) {
      const taken = this.calls.take("act", name);
      if (taken.known === undefined) this.fresh.add(taken.place, fresh);
      return taken;
    }
    const found = this.calls.inStep(step.place, "act", name, true);
    if (found !== undefined) return found;
    this.give(step, step.takeAnswers());
    return { place: this.give(step, [fresh]), known: undefined };
  }

  /** Returns a recorded result when its turn comes. */
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

/** Marks a step. A step that an earlier version has started keeps no mark: its calls are among the handler's own. */
function marksOf(known: { readonly callsMarked?: true } | undefined): {
  readonly callsMarked?: true;
} {
  return known === undefined || known.callsMarked === true ? { callsMarked: true } : {};
}

/** Outcome in records of versions that did not store outcomes. */
const NOT_KNOWN: SendOutcome = { status: "pending" };
