import { DATABASE_POINTS, STAGES } from "./database/points.ts";
import type { AnyPoint, Outcome } from "./outcome.ts";
import { faultText } from "./fault-text.ts";
import { isPoint, POINTS } from "./points.ts";
import type { Fault } from "./verify.ts";

/** Figures of a run, printed by `--json`. */
export interface Figures {
  readonly kills: number;
  /** Number of kills by point. */
  readonly points: Readonly<Record<string, number>>;
  /** Number of messages that the bot acknowledged. */
  readonly acknowledged: number;
  /** Number of messages that were answered in full. */
  readonly answered: number;
  /** Number of acknowledged messages without an answer, or without one of their answers. */
  readonly lost: number;
  /** Number of messages with a repeated answer, and of answers that no message called for. */
  readonly doubled: number;
  /** Number of conversations whose last message got no answer. */
  readonly muted: number;
  readonly out_of_order: number;
  /** Number of outbox items whose outcome stayed unknown: the bot never found out whether they were sent. */
  readonly unknown: number;
  readonly seed: number;
  readonly seconds: number;
}

/** Computes the figures of a run from its result. */
export function figuresOf(outcome: Outcome, seed: number, seconds: number): Figures {
  const { kills, acknowledged, answered, faults } = outcome;
  const count = (...kinds: readonly Fault["kind"][]): number =>
    faults.filter(({ kind }) => kinds.includes(kind)).length;
  const names = [...Object.keys(outcome.points).filter(isAnyPoint), ...outcome.missed];
  const at = (point: AnyPoint): number => outcome.points[point] ?? 0;
  return {
    kills,
    points: Object.fromEntries(names.map((point) => [point, at(point)])),
    acknowledged,
    answered,
    lost: count("lost"),
    doubled: count("doubled", "invented"),
    muted: count("muted"),
    out_of_order: count("out_of_order"),
    unknown: count("unknown"),
    seed,
    seconds: Math.round(seconds * 10) / 10,
  };
}

/** Whether the result is clean: no fault, and each point was reached. */
export function isClean({ faults, missed }: Outcome): boolean {
  return faults.length === 0 && missed.length === 0;
}

/** Formats the figures for people: first the kills by point, then the results. */
export function tableOf(figures: Figures): string {
  const { points, kills, seed, seconds, ...counts } = figures;
  const rows = Object.entries(points).map(([point, times]) => {
    const about = isAnyPoint(point) ? aboutOf(point) : "";
    return `${String(times).padStart(5)}  ${point.padEnd(NAME_WIDTH)}  ${about}`;
  });
  const atPoints = Object.values(points).reduce((total, times) => total + times, 0);
  return [
    ...rows,
    `${String(kills - atPoints).padStart(5)}  at random moments`,
    "",
    ...Object.entries(counts).map(
      ([name, count]) => `${name.replaceAll("_", " ").padEnd(13)} ${count}`,
    ),
    `seed ${seed}, ${kills} kills in ${seconds} s`,
    "",
  ].join("\n");
}

/** Formats the faults, each with the kills before it and its message's history, and the points never reached. */
export function faultsText({ faults, missed }: Outcome, seed: number): string {
  const faultTexts = faults.map((fault) => faultText(fault, seed));
  const unreached = missed.map((point) => `never reached: ${point}: ${aboutOf(point)}\n`);
  return [...faultTexts, ...unreached].join("\n");
}

const NAME_WIDTH = 26;

function isAnyPoint(name: string): name is AnyPoint {
  return isPoint(name) || [...DATABASE_POINTS.keys()].some((one) => one === name);
}

function aboutOf(point: AnyPoint): string {
  if (isPoint(point)) return POINTS[point];
  const strike = DATABASE_POINTS.get(point);
  return strike === undefined ? "" : STAGES[strike.stage];
}
