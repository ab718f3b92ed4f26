import { setMaxListeners } from "node:events";
import { endingWith } from "../../system/ending.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../clock/clock.ts";
import { TooEarly } from "../clock/too-early.ts";
import { AccountPaused } from "../loop/account-paused.ts";
import { until } from "../clock/until.ts";
import { pause } from "../../system/time/pause.ts";
import { NO_TRIAL, type CrashTrial } from "./crash-trial.ts";
import {
  type RunEffect,
  type EffectOutcome,
  type EffectPerformer,
  givenUp,
  perform,
} from "./effect.ts";
import { type CourseNeeds, EffectCourse, EffectsInHand } from "./effect-course.ts";
import { lanes, type Lanes } from "./lanes.ts";

/**
 * Performs effects outside the lanes, so that a slow effect delays only the effects that must follow it. Effects of a
 * paused account stay in the store, with their runs.
 */
export interface EffectPool {
  /** Effects under way or waiting. */
  readonly inHand: EffectsInHand;
  /**
   * Performs an effect after the earlier effects of its owner (a rule or bot) in its lane, then commits its outcome. If
   * the owner has too many effects at work or waiting, the effect is not accepted: it stays in the store, with its run.
   * All later effects of the owner stay there, too, until this backlog has been taken. This preserves their order.
   */
  start(effect: RunEffect): void;
  /**
   * Performs an effect from its owner's backlog in the store. To be called only while {@link roomOf} the owner is not
   * 0.
   */
  takeLeft(effect: RunEffect): void;
  /** Returns how many effects of an owner were not accepted so far, and thus stayed in the store. */
  leftOf(owner: string): number;
  /** Returns how many more effects of an owner the pool accepts. */
  roomOf(owner: string): number;
  /**
   * Ends an owner's backlog, after all effects in the store have been taken: new effects of the owner start at once
   * again.
   *
   * @param leftCount Result of {@link leftOf} from before the store was read.
   * @returns `false` when more effects have stayed in the store since then: the caller has to read the backlog again.
   */
  caughtUp(owner: string, leftCount: number): boolean;
  /**
   * Aborts the effect of a run that has ended or continued without it, or belongs to another process now. The effect no
   * longer counts against the limits, and its outcome is discarded.
   */
  leave(run: string): void;
  /**
   * Leaves the waiting effects for which `isLeft`: they stay with their runs in the store.
   *
   * @returns The ids of the runs for which `isLeft` whose effects have begun.
   */
  leaveWaiting(isLeft: (effect: RunEffect) => boolean): readonly string[];
  /** Starts no further effects: waiting effects stay with their runs in the store. */
  stop(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export interface EffectPoolNeeds extends Omit<CourseNeeds, "performer"> {
  readonly performer: EffectPerformer;
  readonly log: Log;
  /** Clock by which an effect waits for a rate limit. */
  readonly clock: Clock;
  /** Commits an outcome in the lane of its run. Once it resolves, the owner's next effect in the lane begins. */
  readonly settle: (effect: RunEffect, outcome: EffectOutcome) => Promise<void>;
  /** Called when an owner with a backlog in the store is below its limit again. */
  readonly onRoom: (owner: string) => void;
  readonly trial?: CrashTrial | undefined;
  /** Limits per owner (a rule or bot): `atWork` effects at work, and `inHand` effects at work or waiting. */
  readonly bounds?: { readonly atWork: number; readonly inHand: number } | undefined;
}

/**
 * Default limits of one rule or bot. They are high because a hanging effect costs only some memory until its timeout.
 */
const BOUNDS = { atWork: 1_024, inHand: 2_048 };
/** Delays before an effect with an unknown outcome is performed again. After the last retry the effect is given up. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000] as const;

/**
 * Number and queues of the effects of one rule or bot. Each rule and bot has its own limit, so none takes the places of
 * another.
 */
class Room {
  readonly queues: Lanes;
  readonly #most: number;
  #size = 0;
  #leftCount = 0;
  /** Whether the owner has a backlog in the store, behind which newer effects have to queue. */
  #isBehind = false;

  constructor({ atWork, inHand }: typeof BOUNDS) {
    this.queues = lanes(atWork);
    this.#most = inHand;
  }

  get places(): number {
    return this.#most - this.#size;
  }

  get leftCount(): number {
    return this.#leftCount;
  }

  /** Whether effects of the owner's backlog should be taken from the store now: at most half of the limit is in use. */
  get wantsBacklog(): boolean {
    return this.#isBehind && this.#size <= this.#most / 2;
  }

  /** Decides on a new effect. @returns `false` when the effect has to stay in the store. */
  admits(): boolean {
    this.#isBehind ||= this.places <= 0;
    if (this.#isBehind) this.#leftCount += 1;
    return !this.#isBehind;
  }

  enter(): void {
    this.#size += 1;
  }

  leave(): void {
    this.#size -= 1;
  }

  caughtUp(leftCount: number): boolean {
    if (this.#leftCount !== leftCount) return false;
    this.#isBehind = false;
    return true;
  }
}

/**
 * Creates a pool. It performs the effects that one rule or bot has in one lane in the order of their start. All other
 * effects run concurrently.
 */
export function effectPool(needs: EffectPoolNeeds): EffectPool {
  return new Effects(needs);
}

class Effects implements EffectPool {
  readonly #needs: EffectPoolNeeds;
  readonly #bounds: typeof BOUNDS;
  readonly #rooms = new Map<string, Room>();
  readonly inHand = new EffectsInHand();
  readonly #courses = new Map<string, EffectCourse>();
  /** Courses that have not begun, in the order of their effects. */
  readonly #waiting = new Map<EffectCourse, Room>();
  readonly #stopping = new AbortController();

  constructor(needs: EffectPoolNeeds) {
    this.#needs = needs;
    this.#bounds = needs.bounds ?? BOUNDS;
    // unlimited listeners: each effect that waits for a retry adds one to this signal
    setMaxListeners(0, this.#stopping.signal);
  }

  start(effect: RunEffect): void {
    const room = this.#roomFor(effect.run.owner);
    if (room.admits()) this.#begin(effect, room);
  }

  takeLeft(effect: RunEffect): void {
    this.#begin(effect, this.#roomFor(effect.run.owner));
  }

  leftOf(owner: string): number {
    return this.#rooms.get(owner)?.leftCount ?? 0;
  }

  roomOf(owner: string): number {
    return this.#rooms.get(owner)?.places ?? this.#bounds.inHand;
  }

  caughtUp(owner: string, leftCount: number): boolean {
    return this.#roomFor(owner).caughtUp(leftCount);
  }

  leave(run: string): void {
    this.#courses.get(run)?.leave();
  }

  leaveWaiting(isLeft: (effect: RunEffect) => boolean): readonly string[] {
    // All are left at once, so that none of them overtakes another after a pause.
    for (const [course, room] of this.#waiting) {
      if (!isLeft(course.effect)) continue;
      this.#waiting.delete(course);
      this.#letGo(course, room);
    }
    return [...this.#courses.values()].flatMap(({ effect }) =>
      isLeft(effect) ? effect.run.id : [],
    );
  }

  stop(): void {
    this.#stopping.abort();
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#rooms.values()].map(({ queues }) => queues.idle()));
  }

  #roomFor(owner: string): Room {
    const room = this.#rooms.get(owner) ?? new Room(this.#bounds);
    this.#rooms.set(owner, room);
    return room;
  }

  #begin(effect: RunEffect, room: Room): void {
    if (!this.inHand.begin(effect)) return;
    const course = new EffectCourse(effect, this.#needs, this.inHand);
    this.#courses.set(effect.run.id, course);
    this.#waiting.set(course, room);
    room.enter();
    room.queues.run(effect.run.lane, () => this.#work(course, room));
  }

  async #work(course: EffectCourse, room: Room): Promise<void> {
    if (!this.#waiting.delete(course)) return;
    const { settle, isPaused } = this.#needs;
    try {
      const end = await endOf(course, this.#needs, this.#stopping.signal);
      if (end === "paused") this.leaveWaiting((effect) => isPaused?.(effect) === true);
      else if (end !== undefined) await settle(...end);
    } finally {
      this.#letGo(course, room);
    }
  }

  #letGo(course: EffectCourse, room: Room): void {
    const { run } = course.effect;
    if (!course.isLeft) this.inHand.end(course);
    if (this.#courses.get(run.id) === course) this.#courses.delete(run.id);
    room.leave();
    if (room.wantsBacklog) this.#needs.onRoom(run.owner);
  }
}

/**
 * Performs an effect, with retries while its outcome is unknown.
 *
 * @returns undefined when `stopping` was aborted first, or the run has moved on without the effect. `paused` when the
 *   account is paused: the effect is to be performed after the pause.
 */
async function endOf(
  course: EffectCourse,
  {
    performer,
    log,
    clock,
    trial = NO_TRIAL,
    isPaused = () => false,
  }: Pick<EffectPoolNeeds, "performer" | "log" | "clock" | "trial" | "isPaused">,
  stopping: AbortSignal,
): Promise<readonly [RunEffect, EffectOutcome] | "paused" | undefined> {
  const { seq, account } = course.effect.entry;
  const isOver = () => stopping.aborted || course.isLeft;
  const attempt = () => {
    // The pause may have begun while the effect waited for its turn in the crash trial.
    if (isPaused(course.effect)) throw new AccountPaused(account);
    return course.unlessLeft(perform(course.effect, performer, course));
  };
  for (let failures = 0; !isOver(); failures += 1) {
    const { effect } = course;
    if (isPaused(effect)) return "paused";
    const condemned = trial.condemned(seq);
    if (condemned !== undefined) {
      log.error({ run: effect.run.id, event: effect.entry.key }, condemned);
      return [effect, givenUp(effect, condemned)];
    }
    try {
      const outcome = await trial.run(seq, attempt);
      return [course.effect, outcome];
    } catch (error) {
      if (isOver()) return undefined;
      if (error instanceof AccountPaused) {
        log.info({ run: effect.run.id, account }, "a step is repeated after its account's pause");
        failures -= 1;
        continue;
      }
      if (error instanceof TooEarly) {
        const ending = endingWith([stopping, course.signal]);
        await until(error.until, clock, ending.signal).finally(() => ending.release());
        failures -= 1;
        continue;
      }
      const delay = RETRY_DELAYS_MS[failures];
      const { id } = effect.run;
      log.error({ err: error, run: id, retryMs: delay }, "a step of a run failed");
      if (delay === undefined) return [course.effect, givenUp(effect, messageOf(error))];
      const ending = endingWith([stopping, course.signal]);
      await pause(delay, ending.signal).finally(() => ending.release());
    }
  }
  return undefined;
}
