import { describeAction } from "../../actions/actions.ts";
import { UsageError } from "../../errors.ts";
import type { AccountEvent } from "../../events/event.ts";
import {
  type DecidedCondition,
  decidedConditions,
} from "../../insight/words/decided-conditions.ts";
import { eventInWords, eventText } from "../../insight/words/event.ts";
import { keptRun, ruleOf, type OutboxItem, type JournalRun } from "../../insight/kept-run.ts";
import { valueInWords } from "../../insight/words/clause.ts";
import { refusedInWords } from "../../insight/words/verdict.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { runIdParts } from "../../runtime/records.ts";
import { trunkOf } from "../../runtime/runs.ts";
import type { CommonFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { formatTime } from "../output/format-time.ts";
import { visible } from "../../text/unseen.ts";
import { tellClock } from "../target/platform-time.ts";
import { withStored } from "../target/stored.ts";
import { decided } from "../../insight/traces/decided.ts";
import { findEvent } from "../../insight/traces/find-event.ts";
import { runInWords } from "../../insight/words/run.ts";
import { projectRules } from "../project-rules.ts";
import { shell } from "../../text/shell.ts";

/** Maximum number of outbox items to read; the runs of one event have fewer. */
const MAX_ITEMS = 1_000;

/**
 * Prints what the runs of an event did.
 *
 * @param which A run's id, or an event in any form that `why` accepts.
 * @throws {UsageError} if there is no such run or event.
 */
export async function traceRuns(io: Io, which: string, flags: CommonFlags): Promise<void> {
  const isRun = /^\d+\/(rule|bot):/.test(which);
  const ruleset = await projectRules(io, flags);
  await withStored(io, flags, async (stored) => {
    const foundEvent = await findEvent(stored, isRun ? String(runIdParts(which)[0]) : which);
    const { row, event } = foundEvent;
    const runs = row.runs.filter(({ id }) => !isRun || id === which || trunkOf(id) === which);
    if (isRun && runs.length === 0) {
      throw new UsageError(`event ${row.seq} has no run ${which}`, {
        hint: `list them with: ${shell`answerback trace ${row.seq}`}`,
      });
    }
    const items = await stored.outbox({ seq: row.seq, limit: MAX_ITEMS });
    if (flags.json !== true) {
      await tellClock(io, flags);
      io.out(`event ${row.seq}, ${visible(eventInWords(event))}\n`);
      io.out(`  ${formatTime(event.at)} sent\n  ${formatTime(row.arrivedAt)} received\n`);
      if (row.decidedAt !== undefined) io.out(`  ${formatTime(row.decidedAt)} rules evaluated\n`);
      const { takenBy, refused } = decided({ row });
      if (takenBy !== undefined && refused !== undefined) {
        io.out(`  ${visible(refusedInWords(refused, takenBy, eventText(event)))}\n`);
      }
      if (event.kind === "answer_by_hand") {
        const sent = [...items].sort((a, b) => a.id - b.id);
        io.out(sent.map((item) => `${visible(itemLine(item))}\n`).join(""));
      } else if (runs.length === 0) io.out("  this event started no run\n");
    }
    for (const run of runs) {
      const own = items.filter((item) => item.run === run.id).sort((a, b) => a.id - b.id);
      const conditions = conditionsOf(run, event, ruleset);
      if (flags.json === true) io.out(`${JSON.stringify({ ...run, items: own, conditions })}\n`);
      else io.out(runText(run, own, conditions));
    }
  });
}

function conditionsOf(
  run: JournalRun,
  event: AccountEvent,
  ruleset: Ruleset,
): readonly DecidedCondition[] {
  const id = ruleOf(run);
  if (id === undefined) return [];
  const rule = ruleset.byId.get(id);
  return decidedConditions(run, event, rule?.revision === run.revision ? rule : undefined);
}

function runText(
  run: JournalRun,
  items: readonly OutboxItem[],
  conditions: readonly DecidedCondition[],
): string {
  const head = `${run.id} (${run.revision}) ${runInWords(run, items)}`;
  const steps = ruleOf(run) === undefined ? [] : stepLines(run);
  const decisions = conditions.map(({ label, inWords }) => `  ${label} ${inWords}`);
  return [head, ...steps, ...decisions, ...items.map(itemLine)]
    .map((line) => `${visible(line)}\n`)
    .join("");
}

function stepLines(run: JournalRun): readonly string[] {
  return Object.entries(keptRun(run).results).map(([label, result]) =>
    result.ok
      ? `  ${label} ok${result.result === null ? "" : ` ${valueInWords(result.result)}`}`
      : `  ${label} failed: ${result.error.message}`,
  );
}

function itemLine({
  id,
  action,
  status,
  attempts,
  startedAt,
  settledAt,
  reason,
}: OutboxItem): string {
  const when = settledAt ?? startedAt;
  const at = when === undefined ? "" : ` at ${formatTime(when)}`;
  const why = reason === undefined ? "" : `, ${reason}`;
  const tries = attempts > 1 ? ` after ${attempts} tries` : "";
  return `  item ${id} ${status}${at}${tries}: ${describeAction(action).replaceAll(/\s+/g, " ")}${why}`;
}
