import { durationText } from "../../text/duration-text.ts";
import { type JournalRun, keptRun, type OutboxItem, ruleOf, waitsOf } from "../kept-run.ts";

/** Returns a run's owner in words: `rule hours` for `rule:hours`. */
export function ownerInWords({ owner }: { readonly owner: string }): string {
  return owner.replace(":", " ").replace(/#.*$/, "");
}

/** Describes the current state or the end of a run. @param items Known outbox items of the run. */
export function runInWords(run: JournalRun, items: readonly OutboxItem[] = []): string {
  if (ruleOf(run) === undefined) {
    const waits = waitsOf(run).map(({ kind, name }) => `${kind} "${name}"`);
    return waits.length === 0 ? run.status : `waits at ${waits.join(", ")}`;
  }
  const { ended, parallel } = keptRun(run);
  if (ended !== undefined) return `${ended.outcome}: ${ended.reason}`;
  if (parallel !== undefined) return `waits for its branches ${parallel.open.join(", ")}`;
  if (run.waitsFor === undefined) return run.status;
  const item = items.find(({ key }) => key === run.waitsFor);
  return `waits for ${item === undefined ? run.waitsFor : `item ${item.id}`}`;
}

/** Returns the wait of an open run as part of a sentence: `waits at actions[1]`. */
export function waitInWords(run: JournalRun, items: readonly OutboxItem[]): string {
  if (ruleOf(run) === undefined) {
    const [wait] = waitsOf(run);
    return wait === undefined ? "waits" : `waits at ${wait.kind} "${wait.name}"`;
  }
  if (run.listens === true) return "waits for what the person says or does next,";
  if (run.waitsFor?.includes("/turn") === true) return "waits for an earlier run to end,";
  const { position = [], parallel } = keptRun(run);
  const [block, index] = position;
  if (parallel === undefined && run.waitsUntil !== undefined && block !== undefined) {
    return `waits at ${String(block)}[${String(index)}]`;
  }
  return runInWords(run, items);
}

export function failureInWords(run: JournalRun): string {
  if (ruleOf(run) !== undefined) return runInWords(run);
  const { error }: { readonly error?: unknown } = JSON.parse(run.body);
  return typeof error === "string" ? `failed: ${error}` : "failed";
}

/** Formats a time. Adds the remaining time if `now` is known and earlier: `2026-11-22T07:00:00Z (8 h 12 min)`. */
export function timeInWords(at: number, now: number | undefined): string {
  const written = new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
  return now === undefined || at <= now ? written : `${written} (${durationText(at - now)})`;
}
