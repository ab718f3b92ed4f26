import type { Problem } from "../../config/problem.ts";
import { eventInWords } from "../words/event.ts";
import { backtest, type BacktestResult } from "../rehearsal/backtest/backtest.ts";
import type { BacktestExample } from "../rehearsal/backtest/example.ts";
import { eventOf } from "../../runtime/runs.ts";
import { editedRules, type RuleEdit, type RuleFiles } from "./edited-rules.ts";
import { type ReadableGroup, readableGroups } from "./backtest-groups.ts";
import { type EntryReader, journalSpan, pagesOf } from "./journal-pages.ts";
import type { JournalReader } from "./needs.ts";

/** Rule files and journal for the backtest of an edited rule file. */
export interface BacktestNeeds extends RuleFiles, EntryReader, JournalReader {
  /** Handles of the bot accounts, by user id. */
  readonly usernames: Readonly<Record<string, string>>;
}

/** An edited rule file, and the number of latest events on which it is tried. */
export interface EditToTest extends RuleEdit {
  readonly events: number;
  /** Signal to end the backtest early. The differences found so far are then returned. */
  readonly signal?: AbortSignal;
}

/** An event for which the edited rules give different output. */
export interface EditExample extends BacktestExample {
  /** The event in words, such as `dm.received from @ann: "hello"`. */
  readonly event: string;
}

/** Result of the backtest of an edited rule file. */
export interface EditTested {
  /** Problems of the edited text, with their places. If one is an error, no event was tried. */
  readonly problems: readonly Problem[];
  readonly result?: Omit<BacktestResult, "examples" | "groups"> & {
    readonly examples: readonly EditExample[];
    /** The largest groups of equal differences, up to 20. */
    readonly groups: readonly ReadableGroup[];
    /** Number of all groups, including those beyond the first 20. */
    readonly groupCount: number;
  };
}

/** Number of events above which the backtest runs in worker threads, so that it does not block the bot's event loop. */
const WORTH_THREADS = 200;

/**
 * Runs the latest events of the journal through the rules with and without the edit of one file, and returns the
 * differences.
 */
export async function backtestEdit(
  needs: BacktestNeeds,
  { events, signal = new AbortController().signal, ...edit }: EditToTest,
): Promise<EditTested> {
  const { files, problems, isBroken } = await editedRules(needs, edit);
  if (isBroken) return { problems };
  const { usernames } = needs;
  const before = { files: await needs.files(), usernames };
  const span = await journalSpan(needs, { from: 0, limit: events });
  const { examples, groups, ...result } = await backtest(pagesOf(needs, span, signal), {
    before,
    after: { files, usernames },
    threads: span.end - span.start > WORTH_THREADS,
  });
  const described = await Promise.all(
    examples.map(async (one) => {
      const [row] = await needs.journal({ seq: one.seq, limit: 1 });
      return { ...one, event: row === undefined ? "" : eventInWords(eventOf(row)) };
    }),
  );
  const readable = await readableGroups(groups, needs);
  const all = { ...result, examples: described, groups: readable, groupCount: groups.length };
  return { problems, result: all };
}
