import type { Fault } from "../crash/verify.ts";
import type { RoundOutcome } from "./round.ts";

/** Figures of a run, printed by `--json`. */
export interface ChaosFigures {
  readonly rounds: number;
  /** Numbers of messages that were acknowledged to the platform, and that were answered in full. */
  readonly acknowledged: number;
  readonly answered: number;
  /** Acknowledged messages without an answer, without one of their answers, or without a decision. */
  readonly lost: number;
  /** Messages with an answer that came twice or that were decided twice, and answers that no message called for. */
  readonly doubled: number;
  /** Conversations whose last message got no answer. */
  readonly muted: number;
  readonly out_of_order: number;
  /** Number of items whose outcome stayed unknown. */
  readonly unknown: number;
  /** Number of deliveries that no receiver accepted during the balancer's retries. */
  readonly refused: number;
  /** Longest time that an accepted delivery waited, in milliseconds. */
  readonly longest_wait_ms: number;
  /** Number of disturbances, by kind. */
  readonly kills: Readonly<Record<string, number>>;
  /** Number of processes that ended without being killed or stopped. */
  readonly own_ends: number;
  readonly seed: number;
  readonly seconds: number;
}

/** Adds up the results of rounds. */
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

/** Faults of a round, each with the story of its message, and the round's disturbances. Empty for a clean round. */
export function faultsText({ faults, story, ownEnds }: RoundOutcome, seed: number): string {
  if (faults.length === 0) return "";
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
