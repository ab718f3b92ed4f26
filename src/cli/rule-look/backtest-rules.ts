import { resolve } from "node:path";
import { Backtest, type BacktestExample, type BacktestFindings } from "../../rehearsal/backtest.ts";
import { eventInWords } from "../../rehearsal/event-in-words.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { eventOf, isLate } from "../../runtime/runs/entry-event.ts";
import { durationMs } from "../../system/duration.ts";
import type { CommonFlags } from "../arguments/settings-flags.ts";
import { dataFolder, settingsFor } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { counted } from "../output/counted.ts";
import { withoutControls } from "../output/terminal-text.ts";
import { platformTime } from "../target/platform-time.ts";
import { type Stored, withStored } from "../target/stored.ts";
import { projectRules, rulesInstead } from "./project-rules.ts";

/** Flags of `answerback backtest`. */
export interface BacktestFlags extends CommonFlags {
  readonly rules: string;
  readonly since: string;
}

/** Entries that are asked for at a time. */
const PAGE = 1_000;
const TOLD_EVERY_MS = 500;

/**
 * Shows what the rules of a folder would let out otherwise than those in use, over the journal.
 *
 * @returns Whether nothing differs.
 * @throws {ConfigError} when there is a mistake in the rules of the folder.
 */
export async function backtestRules(io: Io, flags: BacktestFlags): Promise<boolean> {
  const folder = resolve(io.cwd, flags.rules);
  const before = await projectRules(io, flags);
  const after = await rulesInstead(io, folder, flags);
  const now = await platformTime(dataFolder(await settingsFor(io, flags)));
  const from = now - durationMs(flags.since);
  const findings = await withStored(io, flags, (stored) =>
    over(io, stored, { before, after, from }),
  );
  if (flags.json === true) {
    for (const { event, ...one } of findings.examples) {
      io.out(`${JSON.stringify({ type: "example", ...one, key: event.key })}\n`);
    }
    const { events, counts } = findings;
    io.out(`${JSON.stringify({ type: "summary", events, ...counts })}\n`);
  } else print(io, findings);
  const { changed, new: fresh, gone } = findings.counts;
  return changed + fresh + gone === 0;
}

interface Span {
  readonly before: Ruleset;
  readonly after: Ruleset;
  /** Milliseconds since the epoch. */
  readonly from: number;
}

/** Reads the journal forwards, a page at a time. */
async function over(
  io: Io,
  stored: Stored,
  { before, after, from }: Span,
): Promise<BacktestFindings> {
  const backtest = new Backtest(before, after);
  const [newest] = await stored.journal({ limit: 1 });
  if (newest === undefined) return backtest.findings();
  const end = newest.seq + 1;
  const start = await firstSince(stored, from, end);
  let toldAt = performance.now();
  for (let at = start; at < end && !io.signal.aborted; at += PAGE) {
    const rows = await stored.journal({ before: Math.min(end, at + PAGE), limit: PAGE });
    for (const row of rows.toReversed()) {
      if (row.seq < at || row.arrivedAt < from) continue;
      const moment = { now: row.arrivedAt, replayed: isLate(row) };
      backtest.take(row.seq, eventOf(row), moment);
    }
    if (io.interactive && performance.now() - toldAt > TOLD_EVERY_MS) {
      toldAt = performance.now();
      io.err(`\r${bar((at - start) / (end - start))}`);
    }
  }
  if (io.interactive) io.err("\r\u001B[2K");
  return backtest.findings();
}

/** The number from which on entries came after `from`: looked for by halves, since numbers rise with time. */
async function firstSince(stored: Stored, from: number, end: number): Promise<number> {
  let [low, high] = [1, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await stored.journal({ before: middle + 1, limit: 1 });
    if (row === undefined || row.arrivedAt < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function bar(part: number): string {
  const full = Math.round(Math.min(1, part) * 30);
  return `[${"#".repeat(full)}${" ".repeat(30 - full)}] ${Math.floor(part * 100)} %`;
}

function print(io: Io, { events, counts, examples }: BacktestFindings): void {
  const { green, red, yellow, dim } = io.dataColors;
  const paint = { changed: yellow, new: green, gone: red };
  for (const one of examples) io.out(exampleText(one, paint[one.kind], dim));
  const { same, changed, new: fresh, gone } = counts;
  io.out(
    `${counted(events, "event")}: ${same} answered as before, ${changed} changed, ` +
      `${fresh} new, ${gone} gone\n`,
  );
}

function exampleText(
  { kind, seq, event, before, after }: BacktestExample,
  paint: (text: string) => string,
  faint: (text: string) => string,
): string {
  const lines = [
    `${paint(kind)} ${faint(`event ${seq}`)} ${eventInWords(event)}`,
    ...before.map(({ rule, what }) => `  - ${rule}: ${what}`),
    ...after.map(({ rule, what }) => `  + ${rule}: ${what}`),
  ];
  return lines.map((line) => `${oneLine(line)}\n`).join("");
}

/** A text of several lines on one, and without what a terminal would take for an order. */
function oneLine(text: string): string {
  return withoutControls(text.replaceAll(/[\r\n]+/g, " "));
}
