import { resolve } from "node:path";
import { backtest, type BacktestResult } from "../../insight/rehearsal/backtest/backtest.ts";
import type { BacktestExample } from "../../insight/rehearsal/backtest/example.ts";
import type { TimedOutgoing } from "../../insight/rehearsal/backtest/entry-answers.ts";
import { eventInWords } from "../../insight/words/event.ts";
import { handlesIn as handlesOf } from "../../events/handles.ts";
import {
  MAX_SHOWN_GROUPS,
  readableGroups,
  withHandle,
} from "../../insight/traces/backtest-groups.ts";
import { handlesIn } from "../../runtime/accounts.ts";
import { eventOf } from "../../runtime/runs.ts";
import type { Entry, JournalRow } from "../../runtime/vocabulary.ts";
import { durationInWords, durationMs } from "../../system/duration.ts";
import type { CommonFlags } from "../arguments/settings-flags.ts";
import { dataFolder, settingsFor } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { counted } from "../../text/counted.ts";
import { visible } from "../../text/unseen.ts";
import { platformTime } from "../target/platform-time.ts";
import { type Stored, withStored } from "../target/stored.ts";
import { type JournalSpan, journalSpan, pagesOf } from "../../insight/traces/journal-pages.ts";
import { projectFiles, soundFilesInstead } from "../project-rules.ts";

/** Flags of `answerback backtest`. */
export interface BacktestFlags extends CommonFlags {
  readonly rules: string;
  readonly since: string;
  /** Maximum number of events to run through the rules; the newest ones are used. */
  readonly limit?: number;
  /** Lists each event with a different result, instead of groups of equal differences. */
  readonly all?: boolean;
}

/**
 * Number of events above which each set of rules gets its own worker thread. The start of a thread takes a third of a
 * second.
 */
const WORTH_THREADS = 10_000;
const TOLD_EVERY_MS = 250;

/**
 * Compares the actions of a folder's rules with those of the current rules, for events from the journal.
 *
 * @returns Whether there is no difference.
 * @throws {ConfigError} if the folder's rules contain a mistake.
 */
export async function backtestRules(io: Io, flags: BacktestFlags): Promise<boolean> {
  const settings = await settingsFor(io, flags);
  const folder = dataFolder(settings);
  const before = await projectFiles(io, flags);
  const after = await soundFilesInstead(io, resolve(io.cwd, flags.rules), flags);
  const usernames = await handlesIn({ ...settings, folder });
  const from = (await platformTime(folder)) - durationMs(flags.since);
  return withStored(io, flags, async (stored) => {
    const { limit } = flags;
    const span = await journalSpan(stored, { from, ...(limit !== undefined && { limit }) });
    const result = await backtest(withProgress(io, pagesOf(stored, span, io.signal), span), {
      before: { files: before, usernames },
      after: { files: after, usernames },
      threads: span.end - span.start > WORTH_THREADS,
      keepAll: flags.all === true,
    });
    await shownBy(flags)(io, result, stored);
    const { changed, new: fresh, gone } = result.counts;
    return changed + fresh + gone === 0;
  });
}

function shownBy({ json, all }: BacktestFlags): typeof printJson {
  if (json === true) return printJson;
  return all === true ? printExamples : printGroups;
}

/** Passes pages of journal entries through unchanged, and shows the progress on a terminal. */
async function* withProgress<Page extends readonly Entry[]>(
  io: Io,
  pages: AsyncIterable<Page>,
  { start, end }: JournalSpan,
): AsyncGenerator<Page> {
  let toldAt = 0;
  for await (const page of pages) {
    yield page;
    if (!io.interactive || performance.now() - toldAt < TOLD_EVERY_MS) continue;
    toldAt = performance.now();
    io.err(`\r${bar(((page.at(-1)?.seq ?? start) - start) / (end - start))}`);
  }
  if (io.interactive) io.err("\r\u001B[2K");
}

function bar(part: number): string {
  const full = Math.round(Math.min(1, part) * 30);
  return `[${"#".repeat(full)}${" ".repeat(30 - full)}] ${Math.floor(part * 100)} %`;
}

async function printJson(io: Io, result: BacktestResult, stored: Stored): Promise<void> {
  const { events, counts, examples, left: partialRuns, failed } = result;
  for (const one of examples) {
    const row = await rowOf(stored, one.seq);
    io.out(`${JSON.stringify({ type: "example", ...one, key: row?.key })}\n`);
  }
  const groups = await readableGroups(result.groups, stored);
  io.out(
    `${JSON.stringify({ type: "summary", events, ...counts, left: partialRuns, failed, groups })}\n`,
  );
}

async function printGroups(io: Io, result: BacktestResult, stored: Stored): Promise<void> {
  const { dim } = io.dataColors;
  for (const group of await readableGroups(result.groups, stored)) {
    const { kind, count, examples } = group;
    const further = count - examples.length;
    printLines(io, [
      paints(io)[kind](`${count} ${kind}`),
      ...changedLines(group),
      ...examples.map(({ seq, said }) => `    ${oneLine(said)} ${dim(`(event ${seq})`)}`),
      ...(further > 0 ? [dim(`    and ${further} more; --all lists every event`)] : []),
    ]);
  }
  const smaller = result.groups.length - MAX_SHOWN_GROUPS;
  if (smaller > 0) io.out(`and ${counted(smaller, "smaller group")}; --all lists every event\n`);
  printCounts(io, result);
}

async function printExamples(io: Io, result: BacktestResult, stored: Stored): Promise<void> {
  for (const one of result.examples) {
    const row = await rowOf(stored, one.seq);
    const event = row === undefined ? undefined : eventOf(row);
    const handles = handlesOf(event === undefined ? [] : [event]);
    const said = event === undefined ? "" : eventInWords(event);
    const named = (line: TimedOutgoing) => ({ ...line, what: withHandle(line, handles) });
    printLines(io, [
      `${paints(io)[one.kind](one.kind)} ${io.dataColors.dim(`event ${one.seq}`)} ${oneLine(said)}`,
      ...changedLines({ before: one.before.map(named), after: one.after.map(named) }),
    ]);
  }
  printCounts(io, result);
}

function printLines(io: Io, lines: readonly string[]): void {
  io.out(lines.map((line) => `${line}\n`).join(""));
}

function printCounts(io: Io, { events, counts, left: partialRuns, failed }: BacktestResult): void {
  const { same, changed, new: fresh, gone } = counts;
  io.out(
    `${counted(events, "event")}: ${same} answered as before, ${changed} changed, ` +
      `${fresh} new, ${gone} gone\n`,
  );
  if (failed > 0) io.err(`${counted(failed, "event")} could not be read and were skipped.\n`);
  if (partialRuns > 0) {
    io.err(
      `${counted(partialRuns, "run")} of the edited rules ${partialRuns === 1 ? "is" : "are"} followed only up to a call or a request, whose result is unknown.\n`,
    );
  }
}

async function rowOf(stored: Stored, seq: number): Promise<JournalRow | undefined> {
  const [row] = await stored.journal({ seq, limit: 1 });
  return row;
}

function paints({ dataColors: { green, red, yellow } }: Io) {
  return { changed: yellow, new: green, gone: red };
}

function changedLines({
  before,
  after,
}: Pick<BacktestExample, "before" | "after">): readonly string[] {
  return [
    ...before.map((one) => `  - ${oneLine(inWords(one))}`),
    ...after.map((one) => `  + ${oneLine(inWords(one))}`),
  ];
}

function inWords({ rule, what, after_ms: after }: TimedOutgoing): string {
  return `${rule}: ${what}${after === undefined ? "" : ` (${durationInWords(after)} later)`}`;
}

/** Puts a text on one line and escapes control characters. */
function oneLine(text: string): string {
  return visible(text.replaceAll(/[\r\n]+/g, " "));
}
