import { setMaxListeners } from "node:events";
import { endingWith } from "../../system/ending.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Log } from "../log.ts";
import { pause } from "../loop/pause.ts";
import { NO_TRIAL, type CrashTrial } from "./crash-trial.ts";
import type { Progress, StateName, StateRead } from "../../bots/durable/record.ts";
import type { SendOutcome } from "../../bots/durable/send-outcome.ts";
import {
  type RunEffect,
  type EffectOutcome,
  type EffectPerformer,
  givenUp,
  type HandlerEffect,
  perform,
  type RequestEffect,
} from "./effect.ts";
import { EffectCourse, EffectsInHand } from "./effect-course.ts";
import { lanes, type Lanes } from "./lanes.ts";

/** Performs effects beside the lanes, so that a slow one holds up nothing but what must follow it. */
export interface EffectPool {
  /** Effects under way or waiting. */
  readonly size: number;
  /**
   * Performs an effect after the earlier ones of its owner in its lane; its outcome is settled then.
   *
   * One whose owner has no room stays with its run in the store, and so do all later ones of that owner
   * until it has caught up: their order is kept.
   */
  start(effect: RunEffect): void;
  /** Performs an effect that had stayed in the store; its owner has room for it. */
  takeLeft(effect: RunEffect): void;
  /** How many effects of an owner have stayed in the store so far. */
  leftOf(owner: string): number;
  /** How many more effects of an owner may be in hand. */
  roomOf(owner: string): number;
  /**
   * All that had stayed in the store has been taken.
   *
   * @param left What {@link leftOf} was before it was looked for.
   * @returns `false` when more has stayed there since: look again.
   */
  caughtUp(owner: string, left: number): boolean;
  /** The run has gone another way: its effect gives its place to others, and its outcome is nobody's. */
  leave(run: string): void;
  /** Whether the run's effect is under way or waiting. */
  has(run: RunEffect["run"]): boolean;
  /** Ids of the runs whose effects are under way or waiting. */
  underWay(): readonly string[];
  /** Begins nothing any more: what waits stays with its run in the store. */
  stop(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export interface EffectPoolNeeds {
  readonly performer: EffectPerformer;
  readonly log: Log;
  /** Resolves when the outcome is taken in; then the owner's next effect in the lane begins. */
  readonly settle: (effect: RunEffect, outcome: EffectOutcome) => Promise<void>;
  /**
   * Keeps what a handler under way has come to.
   *
   * @returns The effect as its run is kept now; undefined: it is not, the run has gone another way.
   */
  readonly progress: (
    effect: HandlerEffect,
    progress: Progress,
  ) => Promise<HandlerEffect | undefined>;
  /**
   * Keeps that a request is made which is not to be made twice.
   *
   * @returns The effect as its run is kept now; undefined: it is not, the run has gone another way.
   */
  readonly beginOnce: (effect: RequestEffect) => Promise<RequestEffect | undefined>;
  /** Reads user state for a handler under way. */
  readonly read: (effect: HandlerEffect, name: StateName) => Promise<StateRead>;
  /** Says what has become of an item that a handler under way waits for. */
  readonly outcome: (
    effect: HandlerEffect,
    item: string,
    ms: number,
    signal: AbortSignal,
  ) => Promise<SendOutcome>;
  /** Called when an owner of which something has stayed in the store has room again. */
  readonly onRoom: (owner: string) => void;
  readonly trial?: CrashTrial | undefined;
  /** Effects of one owner at work at once, and in hand altogether. */
  readonly bounds?: { readonly atWork: number; readonly inHand: number } | undefined;
}

/** One that hangs costs some memory and nothing else, until its time is over. */
const BOUNDS = { atWork: 1_024, inHand: 2_048 };
/** Nobody could say what came of the effect: it is performed again after so long, then given up. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000] as const;

/** The effects of one rule or bot: what it has in hand takes no room from others. */
interface Room {
  readonly queues: Lanes;
  size: number;
  left: number;
  /** Something has stayed in the store: what comes now goes behind it. */
  isBehind: boolean;
}

/**
 * Effects of one rule or bot in one lane are performed one after the other, in the order in which they
 * were started; all others side by side.
 */
export function effectPool(needs: EffectPoolNeeds): EffectPool {
  const { performer, log, settle, onRoom, trial = NO_TRIAL, bounds = BOUNDS } = needs;
  const rooms = new Map<string, Room>();
  const inHand = new EffectsInHand();
  const courses = new Map<string, EffectCourse>();
  const stopping = new AbortController();
  // Each effect that is tried again later listens to it.
  setMaxListeners(0, stopping.signal);

  const roomFor = (owner: string): Room => {
    const found = rooms.get(owner);
    if (found !== undefined) return found;
    const made = { queues: lanes(bounds.atWork), size: 0, left: 0, isBehind: false };
    rooms.set(owner, made);
    return made;
  };

  const work = async (course: EffectCourse, room: Room): Promise<void> => {
    const { run } = course.effect;
    try {
      const end = await retrying(course);
      if (end !== undefined) await settle(...end);
    } finally {
      inHand.end(course);
      if (courses.get(run.id) === course) courses.delete(run.id);
      room.size -= 1;
      if (room.isBehind && room.size <= bounds.inHand / 2) onRoom(run.owner);
    }
  };

  /** @returns undefined when it was stopped before it could be performed, or has gone another way. */
  const retrying = async (
    course: EffectCourse,
  ): Promise<readonly [RunEffect, EffectOutcome] | undefined> => {
    const { seq } = course.effect.entry;
    const isOver = () => stopping.signal.aborted || course.isLeft;
    for (let failures = 0; !isOver(); failures += 1) {
      const { effect } = course;
      const condemned = trial.condemned(seq);
      if (condemned !== undefined) {
        log.error({ run: effect.run.id, event: effect.entry.key }, condemned);
        return [effect, givenUp(effect, condemned)];
      }
      try {
        const performed = () => course.unlessLeft(perform(effect, performer, course));
        const outcome = await trial.run(seq, performed);
        return [course.effect, outcome];
      } catch (error) {
        if (isOver()) return undefined;
        const delay = RETRY_DELAYS_MS[failures];
        const { id } = effect.run;
        log.error({ err: error, run: id, retryMs: delay }, "effect not performed");
        if (delay === undefined) return [course.effect, givenUp(effect, messageOf(error))];
        const ending = endingWith([stopping.signal, course.signal]);
        await pause(delay, ending.signal).finally(() => ending.release());
      }
    }
    return undefined;
  };

  const begin = (effect: RunEffect, room: Room): void => {
    if (!inHand.begin(effect)) return;
    const course = new EffectCourse(effect, needs, inHand);
    courses.set(effect.run.id, course);
    room.size += 1;
    room.queues.run(effect.run.lane, () => work(course, room));
  };

  return {
    get size() {
      return inHand.size;
    },
    start(effect) {
      const room = roomFor(effect.run.owner);
      room.isBehind ||= room.size >= bounds.inHand;
      if (room.isBehind) room.left += 1;
      else begin(effect, room);
    },
    takeLeft: (effect) => begin(effect, roomFor(effect.run.owner)),
    leftOf: (owner) => rooms.get(owner)?.left ?? 0,
    roomOf: (owner) => bounds.inHand - (rooms.get(owner)?.size ?? 0),
    caughtUp(owner, left) {
      const room = roomFor(owner);
      if (room.left !== left) return false;
      room.isBehind = false;
      return true;
    },
    leave: (run) => courses.get(run)?.leave(),
    has: (run) => inHand.has(run),
    underWay: () => inHand.runs(),
    stop: () => stopping.abort(),
    async idle() {
      await Promise.all([...rooms.values()].map(({ queues }) => queues.idle()));
    },
  };
}
