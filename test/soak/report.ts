import type { SoakOutcome } from "./soak.ts";
import type { SoakFault } from "./verify.ts";

/** Result of a soak, as printed by `--json`. */
export interface SoakFigures {
  readonly hours: number;
  /** Number of messages, mentions and follows; `answered` is the number of those with all their answers. */
  readonly messages: number;
  readonly answered: number;
  /** Number of events without an answer or without one of their answers; `doubled` counts events answered twice. */
  readonly lost: number;
  readonly doubled: number;
  /** Number of restarts, clock jumps, revocations and the like. */
  readonly disturbances: number;
  /** Ratios of the end to the start of the day: memory, latency, bytes of files for a message, and open files. */
  readonly rss_ratio: number;
  readonly latency_ratio: number;
  readonly file_ratio: number;
  readonly handle_ratio: number;
  readonly seed: number;
  readonly seconds: number;
}

/** Computes the report of a day from its result. */
export function figuresOf(
  { faults, log: _, ...outcome }: SoakOutcome,
  run: Pick<SoakFigures, "hours" | "seed" | "seconds">,
): SoakFigures {
  const count = (kind: SoakFault["kind"]): number =>
    faults.filter((fault) => fault.kind === kind).length;
  const { messages, answered, disturbances, ...ratios } = outcome;
  const { hours, seed, seconds } = run;
  const counts = { lost: count("lost"), doubled: count("doubled"), disturbances };
  const end = { seed, seconds: Math.round(seconds * 10) / 10 };
  return { hours, messages, answered, ...counts, ...ratios, ...end };
}

/** Formats the figures for people. */
export function tableOf(figures: SoakFigures): string {
  const rows = Object.entries(figures).map(
    ([name, value]) => `${name.replaceAll("_", " ").padEnd(14)} ${value}`,
  );
  return `${rows.join("\n")}\n`;
}

/** Formats the faults, each with the history of its event on the lines below. */
export function faultLines(faults: readonly SoakFault[]): string {
  return faults
    .map(({ kind, about, story }) => `${[`${kind}: ${about}`, ...story].join("\n    ")}\n`)
    .join("");
}
