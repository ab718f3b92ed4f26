import type { HandlerRecord, Progress, StateName, StateRead } from "../../bots/durable/record.ts";
import type { SendOutcome } from "../../bots/durable/send-outcome.ts";
import type { PlatformAnswer, PlatformRequest } from "../../bots/platform-request.ts";
import type {
  EffectPerformer,
  EffectSupport,
  HandlerEffect,
  RequestEffect,
  RunEffect,
} from "./effect.ts";

/** The effects that a pool has in hand. */
export class EffectsInHand {
  /** A run has one effect in each of its versions. */
  readonly #names = new Set<string>();
  /** How many of a run, by its id: one that ends may begin the next. */
  readonly #ofRuns = new Map<string, number>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns `false` where it is in hand already. */
  begin(effect: RunEffect): boolean {
    if (this.#names.has(nameOf(effect))) return false;
    this.#names.add(nameOf(effect));
    const { id } = effect.run;
    this.#ofRuns.set(id, 1 + (this.#ofRuns.get(id) ?? 0));
    this.#size += 1;
    return true;
  }

  /** The run of an effect in hand has another version. */
  rename(effect: RunEffect, next: RunEffect): void {
    this.#names.delete(nameOf(effect));
    this.#names.add(nameOf(next));
  }

  end({ effect }: EffectCourse): void {
    this.#names.delete(nameOf(effect));
    const { id } = effect.run;
    const left = (this.#ofRuns.get(id) ?? 1) - 1;
    if (left === 0) this.#ofRuns.delete(id);
    else this.#ofRuns.set(id, left);
    this.#size -= 1;
  }

  has({ id }: RunEffect["run"]): boolean {
    return this.#ofRuns.has(id);
  }

  /** Ids of their runs. */
  runs(): readonly string[] {
    return [...this.#ofRuns.keys()];
  }
}

interface CourseNeeds {
  readonly progress: (
    effect: HandlerEffect,
    progress: Progress,
  ) => Promise<HandlerEffect | undefined>;
  readonly beginOnce: (effect: RequestEffect) => Promise<RequestEffect | undefined>;
  readonly read: (effect: HandlerEffect, name: StateName) => Promise<StateRead>;
  readonly outcome: (
    effect: HandlerEffect,
    item: string,
    ms: number,
    signal: AbortSignal,
  ) => Promise<SendOutcome>;
  readonly performer: Pick<EffectPerformer, "ask">;
}

/** The course of one effect: a handler comes further in it, so that what is performed again begins there. */
export class EffectCourse implements EffectSupport {
  effect: RunEffect;
  readonly #leaving = new AbortController();
  #hasBegun = false;
  readonly #needs: CourseNeeds;
  readonly #inHand: EffectsInHand;

  constructor(effect: RunEffect, needs: CourseNeeds, inHand: EffectsInHand) {
    this.effect = effect;
    this.#needs = needs;
    this.#inHand = inHand;
  }

  /** Its run has gone another way: nobody waits for its outcome. */
  get isLeft(): boolean {
    return this.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Waits for `work`, or for its run to go another way: throws then, whatever `work` does. */
  async unlessLeft<T>(work: Promise<T>): Promise<T> {
    let stop = (): void => {};
    const left = new Promise<never>((_, reject) => {
      stop = () => reject(this.signal.reason);
      this.signal.addEventListener("abort", stop);
    });
    try {
      return await Promise.race([work, left]);
    } finally {
      this.signal.removeEventListener("abort", stop);
    }
  }

  leave(): void {
    this.#leaving.abort(new Error("the run has gone another way"));
  }

  async keep(progress: Progress): Promise<HandlerRecord> {
    const handler = this.#handler();
    const next = await this.#needs.progress(handler, progress);
    return this.#follow(handler, next).handling.record ?? [];
  }

  async beginOnce(): Promise<boolean> {
    if (this.#hasBegun) return false;
    const { effect } = this;
    if (effect.kind !== "http") throw new Error("only a request is begun once");
    this.#follow(effect, await this.#needs.beginOnce(effect));
    this.#hasBegun = true;
    return true;
  }

  /** The effect of the run as it is kept now. */
  #follow<Effect extends RunEffect>(before: Effect, next: Effect | undefined): Effect {
    if (next === undefined) {
      this.leave();
      throw new Error("the run has gone another way");
    }
    this.#inHand.rename(before, next);
    this.effect = next;
    return next;
  }

  read(name: StateName): Promise<StateRead> {
    return this.#needs.read(this.#handler(), name);
  }

  async outcome(place: number, ms: number, signal: AbortSignal): Promise<SendOutcome> {
    const handler = this.#handler();
    const entry = handler.handling.record?.[place];
    if (entry?.kind !== "act" || entry.item === undefined) {
      throw new Error(`no action that is waited for is on record as call ${place + 1}`);
    }
    return this.#needs.outcome(handler, entry.item, ms, signal);
  }

  async ask(request: PlatformRequest, signal: AbortSignal): Promise<PlatformAnswer> {
    const handler = this.#handler();
    const { performer } = this.#needs;
    if (performer.ask !== undefined) return performer.ask(handler, request, signal);
    const message = `${request.method} ${request.endpoint} can't be asked here: there is no platform`;
    return { ok: false, fault: { kind: "usage", message } };
  }

  #handler(): HandlerEffect {
    if (this.effect.kind === "handle") return this.effect;
    throw new Error("only a handler comes further in its course");
  }
}

function nameOf({ run }: Pick<RunEffect, "run">): string {
  return `${run.id}@${run.version}`;
}
