import type { Problem } from "../../config/problem.ts";
import { eventInWords } from "../words/event.ts";
import { backtest, type BacktestResult } from "../rehearsal/backtest/backtest.ts";
import type { BacktestExample } from "../rehearsal/backtest/example.ts";
import { eventOf } from "../../runtime/runs/entry-event.ts";
import { editedRules, type RuleEdit, type RuleFiles } from "./edited-rules.ts";
import { type ReadableGroup, readableGroups } from "./backtest-groups.ts";
import { type EntryReader, journalSpan, pagesOf } from "./journal-pages.ts";
import type { JournalReader } from "./needs.ts";

/** Rule files and journal for a backtest of an edit. */
export interface BacktestNeeds extends RuleFiles, EntryReader, JournalReader {
  /** Handles of the accounts, by id. */
  readonly usernames: Readonly<Record<string, string>>;
}

/** An edit, and the number of latest events on which it is tried. */
export interface EditToTest extends RuleEdit {
  readonly events: number;
  /** Ends the backtest; the findings up to that time are returned. */
  readonly signal?: AbortSignal;
}

/** An event with different output after the edit. */
export interface EditExample extends BacktestExample {
  /** The event in words, such as `dm.received from @ann: "hello"`. */
  readonly event: string;
}

/** Result of an edit's backtest. */
export interface EditTested {
  /** Problems of the edited text, with their places. If one is an error, nothing was tried. */
  readonly problems: readonly Problem[];
  readonly result?: Omit<BacktestResult, "examples" | "groups"> & {
    readonly examples: readonly EditExample[];
    /** The largest groups first, up to 20. */
    readonly groups: readonly ReadableGroup[];
    /** Number of all groups, including those that are left out. */
    readonly groupCount: number;
  };
}

/** Number of events above which each set of rules gets a thread, so that other work is not blocked. */
const WORTH_THREADS = 200;

/** Returns the differences in output over the latest events of the journal with an edit of one rule file. */
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
