import type { Fault } from "../crash/verify.ts";
import type { RoundOutcome } from "./round.ts";

/** Figures of a run, printed by `--json`. */
export interface ChaosFigures {
  readonly rounds: number;
  /** Numbers of messages: `acknowledged` by a receiver to the platform; `answered` with all their answers. */
  readonly acknowledged: number;
  readonly answered: number;
  /** Number of acknowledged messages without an answer, without one of their answers, or never decided by the rules. */
  readonly lost: number;
  /** Number of messages with a repeated answer or two decisions, and of answers that no message called for. */
  readonly doubled: number;
  /** Number of conversations whose last message got no answer. */
  readonly muted: number;
  readonly out_of_order: number;
  /** Number of outbox items whose outcome stayed unknown: the bot never found out whether they were sent. */
  readonly unknown: number;
  /** Number of deliveries that no receiver accepted, although the load balancer retried. */
  readonly refused: number;
  /** Longest time that an accepted delivery waited for a receiver, in milliseconds. */
  readonly longest_wait_ms: number;
  /** Number of disturbances, by kind. */
  readonly kills: Readonly<Record<string, number>>;
  /** Number of processes that ended without being killed or stopped. */
  readonly own_ends: number;
  readonly seed: number;
  readonly seconds: number;
}

/** Computes the figures of a run from the results of its rounds. */
export function figuresOf(
  outcomes: readonly RoundOutcome[],
  seed: number,
  seconds: number,
): ChaosFigures {
  const sum = (pick: (one: RoundOutcome) => number): number =>
    outcomes.reduce((total, one) => total + pick(one), 0);
  const count = (...kinds: readonly Fault["kind"][]): number =>
    sum(({ faults }) => faults.filter(({ kind }) => kinds.includes(kind)).length);
  const kills: Record<string, number> = {};
  for (const { disturbances } of outcomes) {
    for (const [name, times] of disturbances) kills[name] = (kills[name] ?? 0) + times;
  }
  return {
    rounds: outcomes.length,
    acknowledged: sum(({ acknowledged }) => acknowledged),
    answered: sum(({ answered }) => answered),
    lost: count("lost"),
    doubled: count("doubled", "invented"),
    muted: count("muted"),
    out_of_order: count("out_of_order"),
    unknown: count("unknown"),
    refused: sum(({ refused }) => refused),
    longest_wait_ms: Math.max(0, ...outcomes.map(({ longestWaitMs }) => longestWaitMs)),
    kills,
    own_ends: sum(({ ownEnds }) => ownEnds.length),
    seed,
    seconds: Math.round(seconds * 10) / 10,
  };
}

/**
 * Describes a round's disturbances, its faults, each with its message's history, and the processes that ended by
 * themselves. Empty without faults and such processes.
 */
export function faultsText({ faults, story, ownEnds }: RoundOutcome, seed: number): string {
  if (faults.length === 0 && ownEnds.length === 0) return "";
  return [
    `seed ${seed}:`,
    ...story,
    ...faults.flatMap(({ kind, lane, about, story }) => [
      `${kind}: ${about} in lane ${lane}`,
      ...story.map((line) => `    ${line}`),
    ]),
    ...ownEnds,
    "",
  ].join("\n");
}
