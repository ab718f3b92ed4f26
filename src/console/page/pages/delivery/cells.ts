import type { QuestionAnswers } from "../../../operations/operations.ts";

export type CoverageAccount = QuestionAnswers["coverage"]["accounts"][number];
export type CoveredSpan = CoverageAccount["spans"][number];
export type CellState = CoveredSpan["state"];

export const CELL_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** How each state is called, the worst first: a cell is as bad as the worst that lies in it. */
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

/** Cells of one state that stand side by side. `from` and `to` count cells. */
export interface CellRun {
  readonly from: number;
  to: number;
  readonly state: CellState;
}

/** Where the strip begins, for a window that ends at `to`: the whole quarter before the last day. */
export function stripStart(to: number): number {
  return Math.floor((to - DAY_MS) / CELL_MS) * CELL_MS;
}

export const CELLS = DAY_MS / CELL_MS + 1;

/** A day of an account in quarters of an hour, runs of the same state together. */
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

/** Returns the state of a stretch. What was read back is shown as that, also while the rest is still to be replayed. */
export function shownState({ state, readBack }: CoveredSpan): CellState {
  return readBack === true ? "backfilled" : state;
}

/** A stretch in which something of some accounts is missing. */
export interface OpenGap {
  readonly from: number;
  to: number;
  /** Its messages and mentions have been read back. */
  readBack: boolean;
  readonly accounts: string[];
}

/** What is missing, of all accounts together: stretches that overlap or touch are one. */
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
