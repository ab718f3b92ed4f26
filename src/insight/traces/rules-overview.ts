import { setImmediate as nextTurn } from "node:timers/promises";
import type { Problem } from "../../config/problem.ts";
import { keptRun, ruleOf } from "../kept-run.ts";
import type { CompiledRule } from "../../rules/ruleset.ts";
import { trunkOf } from "../../runtime/runs.ts";
import type { Answers } from "../../runtime/vocabulary.ts";
import { decided } from "./decided.ts";
import { readableEvent } from "./find-event.ts";
import { type LineHits, RuleHits } from "./rule-hits.ts";
import type { TraceNeeds } from "./needs.ts";
import { runInWords } from "../words/run.ts";
import { verdictsOn } from "./verdicts.ts";

/** Stored records, rules and clock for an overview of the rules. */
export interface OverviewNeeds extends Pick<TraceNeeds, "journal" | "ruleset"> {
  /** Returns the current problems of the rule files. */
  readonly problems: () => readonly Problem[];
  /** Returns the current time by the platform's clock, in milliseconds since the epoch. */
  readonly now: () => number;
}

export interface OverviewQuery {
  /** Time from which runs are counted, in milliseconds since the epoch. */
  readonly since: number;
  /** Number of latest events for which conditions are evaluated again. Default and maximum: 500. */
  readonly judged?: number;
}

/** All rules, each with its numbers of runs, steps and condition results. */
export interface RulesOverview {
  readonly rules: readonly RuleOverview[];
  readonly files: readonly RuleFileOverview[];
  /** Problems of all rule files, including files in which every rule has an error. */
  readonly problems: readonly Problem[];
  /** Number of events that were read. `isWhole` is true if these are all events of the period. */
  readonly events: number;
  readonly isWhole: boolean;
  /** Number of events for which conditions were evaluated again. */
  readonly judged: number;
}

/** A rule with its activity. The counts include runs of earlier revisions. */
export interface RuleOverview {
  readonly id: string;
  readonly name?: string;
  readonly file: string;
  readonly lines: readonly [first: number, last: number];
  readonly triggers: readonly string[];
  readonly enabled: boolean;
  readonly stage: CompiledRule["stage"];
  readonly runs: number;
  /** Number of runs in each sixtieth of the period, oldest first. */
  readonly points: readonly number[];
  /** Time of the last run, in milliseconds since the epoch. Absent: no run in the period. */
  readonly lastRun?: number;
  readonly lastError?: { readonly at: number; readonly run: string; readonly reason: string };
  /** Warnings that another rule makes this rule unreachable. */
  readonly hidden: readonly Problem[];
}

/** A rule file with the numbers of runs, steps and condition results of its lines. */
export interface RuleFileOverview {
  readonly path: string;
  readonly text: string;
  /** Counts by line number, for lines with runs or evaluated conditions. Runs of earlier revisions are not counted. */
  readonly lines: Readonly<Record<number, LineHits>>;
  readonly problems: readonly Problem[];
}

/** Number of entries that are read at a time, and maximum number of entries for an overview. */
const [PAGE, MAX_ENTRIES] = [500, 20_000];
const MAX_JUDGED = 500;
const POINTS = 60;
/** Maximum time of uninterrupted work, in milliseconds. Other tasks of the event loop then run. */
const SLICE_MS = 5;

/** Returns the activity of each rule since a time. Pauses regularly, so that other work is not blocked. */
export async function rulesOverview(
  needs: OverviewNeeds,
  { since, judged: wanted = MAX_JUDGED }: OverviewQuery,
): Promise<RulesOverview> {
  const ruleset = needs.ruleset();
  const problems = needs.problems();
  const span = { since, until: Math.max(needs.now(), since + 1) };
  const byId = new Map(ruleset.rules.map((rule) => [rule.id, new Tally(rule)]));
  const rest = slices();
  let [events, judged] = [0, 0];
  let before: number | undefined;
  let isWhole = false;
  while (!isWhole && events < MAX_ENTRIES) {
    const page = await needs.journal({ limit: PAGE, ...(before !== undefined && { before }) });
    for (const row of page) {
      before = row.seq;
      if (row.arrivedAt < since) {
        isWhole = true;
        break;
      }
      events += 1;
      for (const run of row.runs) byId.get(ruleOf(run) ?? "")?.ran(run, row, span);
      if (judged < Math.min(wanted, MAX_JUDGED) && judge(row, needs, byId)) judged += 1;
      await rest();
    }
    isWhole ||= page.length < PAGE;
  }
  const files = new Map(ruleset.rules.map(({ source }) => [source.path, source.text]));
  return {
    rules: ruleset.rules.map((rule) => overviewOf(rule, byId.get(rule.id), problems)),
    files: [...files].map(([path, text]) => ({
      path,
      text,
      lines: linesOf([...byId.values()].filter((one) => one.rule.source.path === path)),
      problems: problems.filter(({ file }) => file === path),
    })),
    problems,
    events,
    isWhole,
    judged,
  };
}

type Row = Answers["journal"][number];

/** Counts the runs, steps and condition results of one rule. */
class Tally {
  readonly rule: CompiledRule;
  readonly hits: RuleHits;
  readonly points = Array.from({ length: POINTS }, () => 0);
  runs = 0;
  lastRun: number | undefined;
  lastError: RuleOverview["lastError"];

  constructor(rule: CompiledRule) {
    this.rule = rule;
    this.hits = new RuleHits(rule);
  }

  /** Records a run. Journal rows must be passed newest first, since the first passed run becomes `lastRun`. */
  ran(run: Row["runs"][number], row: Row, span: { since: number; until: number }): void {
    const at = row.decidedAt ?? row.arrivedAt;
    const isTrunk = trunkOf(run.id) === undefined;
    if (isTrunk) {
      this.runs += 1;
      this.lastRun ??= at;
      const place = Math.floor(((at - span.since) / (span.until - span.since)) * POINTS);
      const point = Math.min(POINTS - 1, Math.max(0, place));
      this.points[point] = (this.points[point] ?? 0) + 1;
    }
    if (run.status === "failed") {
      this.lastError ??= { at, run: run.id, reason: runInWords(run) };
    }
    if (run.revision === this.rule.revision) {
      this.hits.ran(Object.entries(keptRun(run).results), isTrunk);
    }
  }
}

/**
 * Evaluates the rules again for an event, and counts the verdicts.
 *
 * @returns Whether this was possible: the event was decided and can be read.
 */
function judge(row: Row, { ruleset }: OverviewNeeds, byId: ReadonlyMap<string, Tally>): boolean {
  const event = readableEvent(row);
  if (event === undefined || row.state !== "done") return false;
  for (const verdict of verdictsOn(event, ruleset(), decided({ row }))) {
    byId.get(verdict.ruleId)?.hits.judged(verdict);
  }
  return true;
}

function overviewOf(
  rule: CompiledRule,
  tally: Tally | undefined,
  problems: readonly Problem[],
): RuleOverview {
  const { id, name, file, enabled, stage } = rule;
  const lines = tally?.hits.lines ?? [rule.line, rule.line];
  const hidden = problems.filter(
    (one) =>
      one.code === "unreachable-rule" &&
      one.file === file &&
      one.line >= lines[0] &&
      one.line <= lines[1],
  );
  return {
    id,
    ...(name !== undefined && { name }),
    file,
    lines,
    triggers: [...new Set(rule.triggers.map(({ trigger }) => trigger))],
    enabled,
    stage,
    runs: tally?.runs ?? 0,
    points: tally?.points ?? [],
    ...(tally?.lastRun !== undefined && { lastRun: tally.lastRun }),
    ...(tally?.lastError !== undefined && { lastError: tally.lastError }),
    hidden,
  };
}

function linesOf(tallies: readonly Tally[]): RuleFileOverview["lines"] {
  const lines: Record<number, LineHits> = {};
  for (const { hits } of tallies) {
    for (const [line, one] of hits.byLine) {
      const { ran = 0, failed = 0, held = 0, missed = 0 } = lines[line] ?? {};
      lines[line] = {
        ran: ran + one.ran,
        failed: failed + one.failed,
        held: held + one.held,
        missed: missed + one.missed,
      };
    }
  }
  return lines;
}

function slices(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
