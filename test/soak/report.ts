import type { SoakOutcome } from "./soak.ts";
import type { SoakFault } from "./verify.ts";

/** Result of a soak, as printed by `--json`. */
export interface SoakFigures {
  readonly hours: number;
  /** Messages, mentions and follows, and those of them that were answered in full. */
  readonly messages: number;
  readonly answered: number;
  /** Without an answer, or without one of their answers; and with an answer that came twice. */
  readonly lost: number;
  readonly doubled: number;
  /** Restarts, clock jumps, revocations and the like. */
  readonly disturbances: number;
  /** Memory, latency, bytes of files a message, and open files: at the end as shares of the start. */
  readonly rss_ratio: number;
  readonly latency_ratio: number;
  readonly file_ratio: number;
  readonly handle_ratio: number;
  readonly seed: number;
  readonly seconds: number;
}

/** Counts an outcome. */
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

/** The figures for a person. */
export function tableOf(figures: SoakFigures): string {
  const rows = Object.entries(figures).map(
    ([name, value]) => `${name.replaceAll("_", " ").padEnd(14)} ${value}`,
  );
  return `${rows.join("\n")}\n`;
}

/** Formats the faults, each with its story on the lines below. */
export function faultLines(faults: readonly SoakFault[]): string {
  return faults
    .map(({ kind, about, story }) => `${[`${kind}: ${about}`, ...story].join("\n    ")}\n`)
    .join("");
}
