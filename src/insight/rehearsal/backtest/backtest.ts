import type { Entry } from "../../../runtime/vocabulary.ts";
import type { SideNews } from "./entry-answers.ts";
import { type BacktestFindings, Findings } from "./findings.ts";
import { pageOf } from "./journal-page.ts";
import { type Side, sideHere, sideInThread, type SideRules } from "./side.ts";

/** Differences that a backtest found between two sets of rules, with numbers of events and runs. */
export interface BacktestResult extends BacktestFindings {
  readonly events: number;
  /** Number of runs of the edited rules that were ended at a call or a request, because its answer is unknown. */
  readonly left: number;
  /** Number of journal entries that could not be read. */
  readonly failed: number;
}

export interface BacktestOptions {
  readonly before: SideRules;
  readonly after: SideRules;
  /** Whether each set of rules runs in its own worker thread. This is worthwhile from about ten thousand events on. */
  readonly threads: boolean;
  /** Whether to return all examples instead of the first 10 of each kind. */
  readonly keepAll?: boolean;
}

/** Maximum number of pages of journal entries in memory at a time, for a journal of any length. */
const MAX_PAGES = 4;

/**
 * Runs the entries of a journal through two sets of rules, and returns the differences of their output.
 *
 * Each set processes all entries in order, because conversations may share limits, counts and slots (concurrency
 * locks). Only the two sets run in parallel.
 */
export async function backtest(
  pages: AsyncIterable<readonly Entry[]>,
  { before, after, threads, keepAll = false }: BacktestOptions,
): Promise<BacktestResult> {
  const start = threads ? sideInThread : sideHere;
  const sides = [start(before), start(after)] as const;
  try {
    return await compare(pages, sides, new Findings({ keepAll }));
  } finally {
    await Promise.all(sides.map((side) => side.close()));
  }
}

async function compare(
  pages: AsyncIterable<readonly Entry[]>,
  [before, after]: readonly [Side, Side],
  findings: Findings,
): Promise<BacktestResult> {
  let [events, partialRuns, failed] = [0, 0, 0];
  const underWay: Promise<readonly [SideNews, SideNews]>[] = [];
  const next = async (): Promise<void> => {
    const news = await underWay.shift();
    if (news === undefined) return;
    findings.take(...news);
    ({ partialRuns, failed } = news[1]);
  };
  const add = (both: Promise<readonly [SideNews, SideNews]>): void => {
    // Prevents unhandled rejections. The first error is thrown by `next`; later ones have the same cause.
    both.catch(() => {});
    underWay.push(both);
  };
  for await (const entries of pages) {
    events += entries.length;
    const page = pageOf(entries);
    add(Promise.all([before.take(page), after.take(page)]));
    if (underWay.length >= MAX_PAGES) await next();
  }
  add(Promise.all([before.finish(), after.finish()]));
  while (underWay.length > 0) await next();
  return { events, left: partialRuns, failed, ...findings.found() };
}
