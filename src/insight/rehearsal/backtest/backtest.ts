import type { Entry } from "../../../runtime/store/entry.ts";
import type { SideNews } from "./entry-answers.ts";
import { type BacktestFindings, Findings } from "./findings.ts";
import { pageOf } from "./journal-page.ts";
import { type Side, sideHere, sideInThread, type SideRules } from "./side.ts";

/** What a backtest came to. */
export interface BacktestResult extends BacktestFindings {
  readonly events: number;
  /** Runs of the edited rules that were left at a call or a request, whose answer is not known. */
  readonly left: number;
  /** Events that could not be read. */
  readonly failed: number;
}

export interface BacktestOptions {
  readonly before: SideRules;
  readonly after: SideRules;
  /** Each set of rules has a thread of its own: worth it from some ten thousand events on. */
  readonly threads: boolean;
  /** Keeps every example instead of the first 10 of each kind. */
  readonly keepAll?: boolean;
}

/** Pages that are under way: so many of the journal are in memory, however long it is. */
const MOST_PAGES = 4;

/**
 * Puts the pages of a journal through two sets of rules and says what they let out otherwise.
 *
 * Each set goes through all entries in their order, since limits, counts and slots may be shared by all lanes; so the
 * two sets are what goes on side by side, and any rules may be compared.
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
  let [events, left, failed] = [0, 0, 0];
  const underWay: Promise<readonly [SideNews, SideNews]>[] = [];
  const next = async (): Promise<void> => {
    const news = await underWay.shift();
    if (news === undefined) return;
    findings.take(...news);
    ({ left, failed } = news[1]);
  };
  for await (const entries of pages) {
    events += entries.length;
    const page = pageOf(entries);
    const both = Promise.all([before.take(page), after.take(page)]);
    // who fails is heard of when it is its turn
    both.catch(() => {});
    underWay.push(both);
    if (underWay.length >= MOST_PAGES) await next();
  }
  underWay.push(Promise.all([before.finish(), after.finish()]));
  while (underWay.length > 0) await next();
  return { events, left, failed, ...findings.found() };
}
