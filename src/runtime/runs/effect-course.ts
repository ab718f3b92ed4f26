import type {
  AskedFor,
  HandlerRecord,
  Progress,
  StateName,
  StateRead,
} from "../../bots/durable/record.ts";
import type { SendOutcome } from "../../bots/durable/send-outcome.ts";
import { pause } from "../../system/time/pause.ts";
import { AccountPaused } from "../loop/account-paused.ts";
import type { RunAndEntry } from "../store/run.ts";
import type { PlatformAnswer, PlatformRequest } from "../../bots/platform-request.ts";
import type {
  EffectPerformer,
  EffectSupport,
  HandlerEffect,
  RequestEffect,
  RunEffect,
} from "./effect.ts";

/** Effects that a pool has in hand, which means that they are being performed or wait for earlier effects. */
export class EffectsInHand {
  /** Keys of the effects: run id and version, since a run has at most one effect per version. */
  readonly #names = new Set<string>();
  /** Number of effects by run id: an effect that ends may already have started the next one of its run. */
  readonly #ofRuns = new Map<string, number>();
  /** Ids of the runs with an effect in hand since the begin of each read under way. */
  readonly #reads = new Set<Set<string>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns `false` if the pool has the effect in hand already. */
  begin(effect: RunEffect): boolean {
    if (this.#names.has(nameOf(effect))) return false;
    this.#names.add(nameOf(effect));
    const { id } = effect.run;
    this.#ofRuns.set(id, 1 + (this.#ofRuns.get(id) ?? 0));
    for (const busy of this.#reads) busy.add(id);
    this.#size += 1;
    return true;
  }

  /** Updates the key of an effect whose run was stored with a new version while the effect is under way. */
  rename(effect: RunEffect, next: RunEffect): void {
    this.#names.delete(nameOf(effect));
    this.#names.add(nameOf(next));
  }

  end({ effect }: EffectCourse): void {
    this.#names.delete(nameOf(effect));
    const { id } = effect.run;
    const count = (this.#ofRuns.get(id) ?? 1) - 1;
    if (count === 0) this.#ofRuns.delete(id);
    else this.#ofRuns.set(id, count);
    this.#size -= 1;
  }

  /** Whether the effect of this version of the run is in hand. */
  has(run: RunEffect["run"]): boolean {
    return this.#names.has(nameOf({ run }));
  }

  /**
   * Reads runs. `free` are those without an effect in hand at any time during the read: an effect that ends meanwhile
   * has changed its run, but the read may still return the earlier version.
   */
  async read<Pair extends Pick<RunAndEntry, "run">>(
    runs: () => Promise<readonly Pair[]>,
  ): Promise<{ readonly all: readonly Pair[]; readonly free: readonly Pair[] }> {
    const busy = new Set(this.runs());
    this.#reads.add(busy);
    try {
      const all = await runs();
      return { all, free: all.filter(({ run }) => !busy.has(run.id)) };
    } finally {
      this.#reads.delete(busy);
    }
  }

  /** Returns the ids of the runs whose effects are in hand. */
  runs(): readonly string[] {
    return [...this.#ofRuns.keys()];
  }
}

/** Functions of the store and the bots that an effect under way calls. */
export interface CourseNeeds {
  /**
   * Stores the progress of a handler under way.
   *
   * @returns The effect with its run as stored now; undefined when the run has moved on without it.
   */
  readonly progress: (
    effect: HandlerEffect,
    progress: Progress,
  ) => Promise<HandlerEffect | undefined>;
  /**
   * Stores that a request which must not be sent twice is about to be sent.
   *
   * @returns The effect with its run as stored now; undefined when the run has moved on without it.
   */
  readonly beginOnce: (effect: RequestEffect) => Promise<RequestEffect | undefined>;
  /** Reads user state for a handler under way. */
  readonly read: (effect: HandlerEffect, name: StateName) => Promise<StateRead>;
  /** Returns the outcome of an item that a handler under way has queued. Waits up to `ms` while the item is pending. */
  readonly outcome: (
    effect: HandlerEffect,
    item: string,
    ms: number,
    signal: AbortSignal,
  ) => Promise<SendOutcome>;
  readonly performer: Pick<EffectPerformer, "ask">;
  /** Whether effects of a run wait, because its account is paused or its event is being erased. Absent: never. */
  readonly isPaused?: ((pair: Pick<RunAndEntry, "entry">) => boolean) | undefined;
}

/** Milliseconds before a request is tried again, if the pause of its account can't end the handler now. */
const AGAIN_MS = 50;

/**
 * Execution of one effect. A bot's handler stores its progress during the execution, so that a retry continues from
 * there.
 */
export class EffectCourse implements EffectSupport {
  effect: RunEffect;
  readonly #leaving = new AbortController();
  #hasBegun = false;
  /** Number of platform requests of the handler that are under way. */
  #requests = 0;
  readonly #needs: CourseNeeds;
  readonly #inHand: EffectsInHand;

  constructor(effect: RunEffect, needs: CourseNeeds, inHand: EffectsInHand) {
    this.effect = effect;
    this.#needs = needs;
    this.#inHand = inHand;
  }

  /** Whether the run has ended or continued without this effect, whose outcome is then not needed. */
  get isLeft(): boolean {
    return this.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Waits for `work`. Throws as soon as the run ends or continues without this effect, even during `work`. */
  async unlessLeft<T>(work: Promise<T>): Promise<T> {
    let stop = (): void => {};
    const leaving = new Promise<never>((_, reject) => {
      stop = () => reject(this.signal.reason);
      this.signal.addEventListener("abort", stop);
    });
    try {
      return await Promise.race([work, leaving]);
    } finally {
      this.signal.removeEventListener("abort", stop);
    }
  }

  /** Ends the effect, also in {@link EffectsInHand}: the run may be continued by another effect at once. */
  leave(): void {
    if (this.isLeft) return;
    this.#inHand.end(this);
    this.#leaving.abort(new Error("the run has moved on without this step"));
  }

  /** @throws {AccountPaused} if a step that must not be repeated would begin during a pause. */
  async keep(progress: Progress): Promise<HandlerRecord> {
    this.signal.throwIfAborted();
    const handler = this.#handler();
    const { account } = handler.entry;
    const record = progress.entries.map(({ entry }) => entry);
    if (hasOpenStep(record) && this.#needs.isPaused?.(handler) === true)
      throw new AccountPaused(account);
    const next = await this.#needs.progress(handler, progress);
    return this.#follow(handler, next).handling.record ?? [];
  }

  async beginOnce(): Promise<boolean> {
    this.signal.throwIfAborted();
    if (this.#hasBegun) return false;
    const { effect } = this;
    if (effect.kind !== "http") throw new Error("only a request is begun once");
    this.#follow(effect, await this.#needs.beginOnce(effect));
    this.#hasBegun = true;
    return true;
  }

  /** Switches to `next`, with the run's new version. Throws without `next`, or if the effect has been left meanwhile. */
  #follow<Effect extends RunEffect>(before: Effect, next: Effect | undefined): Effect {
    if (next === undefined || this.isLeft) {
      this.leave();
      throw new Error("the run has moved on without this step");
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

  /** @throws {AccountPaused} if the handler has to end, and to be called again after the pause. */
  async ask(request: PlatformRequest, signal: AbortSignal): Promise<PlatformAnswer> {
    for (;;) {
      try {
        this.#requests += 1;
        return await this.#askOnce(request, signal);
      } catch (error) {
        if (!(error instanceof AccountPaused) || signal.aborted || this.#mayEnd()) throw error;
      } finally {
        this.#requests -= 1;
      }
      await pause(AGAIN_MS, signal);
    }
  }

  async #askOnce(request: PlatformRequest, signal: AbortSignal): Promise<PlatformAnswer> {
    const handler = this.#handler();
    const { performer } = this.#needs;
    if (performer.ask !== undefined) return performer.ask(handler, request, signal);
    const message = `${request.method} ${request.endpoint} can't be asked here: there is no platform`;
    return { ok: false, fault: { kind: "usage", message } };
  }

  /** Whether the handler may be ended: it awaits no sent request, and is in no step that must not be repeated. */
  #mayEnd(): boolean {
    return this.#requests <= 1 && !hasOpenStep(this.#handler().handling.record ?? []);
  }

  #handler(): HandlerEffect {
    if (this.effect.kind === "handle") return this.effect;
    throw new Error("only a handler comes further in its course");
  }
}

/** Whether a step that must not be repeated has begun, and has no result yet. */
function hasOpenStep(record: readonly (AskedFor | HandlerRecord[number])[]): boolean {
  return record.some(
    (entry) => entry?.kind === "step" && entry.begun === true && entry.settled === undefined,
  );
}

function nameOf({ run }: Pick<RunEffect, "run">): string {
  return `${run.id}@${run.version}`;
}
