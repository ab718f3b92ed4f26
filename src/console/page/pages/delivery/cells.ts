import type { QuestionAnswers } from "../../../operations/operations.ts";

export type CoverageAccount = QuestionAnswers["coverage"]["accounts"][number];
export type CoveredSpan = CoverageAccount["spans"][number];
export type CellState = CoveredSpan["state"];

export const CELL_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Labels of the coverage states, worst first. A cell (a quarter of an hour) shows the worst state within it. */
export const STATE_WORDS: Readonly<Record<CellState, string>> = {
  lost: "lost",
  missing: "missed, recoverable",
  "too-recent": "too recent to replay",
  backfilled: "read back",
  unproven: "not proven yet",
  compared: "messages and mentions proven",
  replayed: "replayed",
  delivered: "delivered",
  none: "not linked yet",
};

const ORDER: readonly CellState[] = [
  "lost",
  "missing",
  "too-recent",
  "backfilled",
  "unproven",
  "compared",
  "replayed",
  "delivered",
  "none",
];

/** Adjacent cells (quarters of an hour) with the same state. `from` and `to` are cell numbers; `to` is exclusive. */
export interface CellRun {
  readonly from: number;
  to: number;
  readonly state: CellState;
}

/** Returns when a coverage strip begins that ends at `to`: one day earlier, rounded down to a quarter of an hour. */
export function stripStart(to: number): number {
  return Math.floor((to - DAY_MS) / CELL_MS) * CELL_MS;
}

export const CELLS = DAY_MS / CELL_MS + 1;

/** Returns the coverage of an account over one day. Adjacent quarters of an hour with the same state are merged. */
export function runsOf(spans: readonly CoveredSpan[], start: number): readonly CellRun[] {
  const runs: CellRun[] = [];
  for (let cell = 0; cell < CELLS; cell += 1) {
    const [from, to] = [start + cell * CELL_MS, start + (cell + 1) * CELL_MS];
    const states = spans.filter((span) => span.from < to && span.to > from);
    const state = ORDER.find((one) => states.some((span) => shownState(span) === one));
    if (state === undefined) continue;
    const last = runs.at(-1);
    if (last?.state === state && last.to === cell) last.to = cell + 1;
    else runs.push({ from: cell, to: cell + 1, state });
  }
  return runs;
}

/**
 * Returns the state to show for a period. `backfilled` takes precedence over `missing`, although other events of the
 * period, such as follows, may still need a replay.
 */
export function shownState({ state, readBack }: CoveredSpan): CellState {
  return readBack === true ? "backfilled" : state;
}

/** A period in which events of some accounts are missing. */
export interface OpenGap {
  readonly from: number;
  to: number;
  /** Whether messages and mentions of the whole gap have been read back. The rest still needs a replay. */
  readBack: boolean;
  readonly accounts: string[];
}

/** Returns the open gaps of all accounts; overlapping and adjacent periods are merged. */
export function openGaps(accounts: readonly CoverageAccount[]): readonly OpenGap[] {
  const missing = accounts.flatMap(({ username, spans }) =>
    spans
      .filter(({ state }) => state === "missing" || state === "too-recent")
      .map(({ from, to, readBack = false }) => ({ from, to, readBack, username })),
  );
  const gaps: OpenGap[] = [];
  for (const { from, to, readBack, username } of missing.toSorted((a, b) => a.from - b.from)) {
    const last = gaps.at(-1);
    if (last === undefined || from > last.to)
      gaps.push({ from, to, readBack, accounts: [username] });
    else {
      last.readBack &&= readBack;
      last.to = Math.max(last.to, to);
      if (!last.accounts.includes(username)) last.accounts.push(username);
    }
  }
  return gaps;
}
