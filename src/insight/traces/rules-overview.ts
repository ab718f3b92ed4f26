import { setImmediate as nextTurn } from "node:timers/promises";
import type { Problem } from "../../config/problem.ts";
import { keptRun, ruleOf } from "../kept-run.ts";
import type { CompiledRule } from "../../rules/ruleset.ts";
import type { Answers } from "../../runtime/control/contract.ts";
import { trunkOf } from "../../runtime/runs/parallel/branch-owner.ts";
import { decided } from "./decided.ts";
import { readableEvent } from "./find-event.ts";
import { type LineHits, RuleHits } from "./rule-hits.ts";
import type { TraceNeeds } from "./needs.ts";
import { runInWords } from "../words/run.ts";
import { verdictsOn } from "./verdicts.ts";

/** What an overview is made from. */
export interface OverviewNeeds extends Pick<TraceNeeds, "journal" | "ruleset"> {
  /** What is wrong with the rule files as they are. */
  readonly problems: () => readonly Problem[];
  /** By the platform's clock. Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface OverviewQuery {
  /** Runs are counted from here on. Milliseconds since the epoch. */
  readonly since: number;
  /** Conditions are judged by so many of the latest events; 500 unless given, and at most. */
  readonly judged?: number;
}

/** All rules, and what they did. */
export interface RulesOverview {
  readonly rules: readonly RuleOverview[];
  readonly files: readonly RuleFileOverview[];
  /** Problems of all files, also of files in which every rule is broken. */
  readonly problems: readonly Problem[];
  /** Events that were looked through, and whether those are all since then. */
  readonly events: number;
  readonly isWhole: boolean;
  /** Events by which conditions were judged. */
  readonly judged: number;
}

/** One rule. Counts are of its revision in force and of earlier ones. */
export interface RuleOverview {
  readonly id: string;
  readonly name?: string;
  readonly file: string;
  readonly lines: readonly [first: number, last: number];
  readonly triggers: readonly string[];
  readonly enabled: boolean;
  readonly stage: CompiledRule["stage"];
  readonly runs: number;
  /** Runs in each sixtieth of the time since then, oldest first. */
  readonly points: readonly number[];
  /** When it matched last, in milliseconds since the epoch; absent: never in that time. */
  readonly lastRun?: number;
  readonly lastError?: { readonly at: number; readonly run: string; readonly reason: string };
  /** Warnings that another rule hides it. */
  readonly hidden: readonly Problem[];
}

/** A rule file with what ran of it. */
export interface RuleFileOverview {
  readonly path: string;
  readonly text: string;
  /** Lines with something that ran or was judged, by their number. Steps and rules of earlier revisions are not in it. */
  readonly lines: Readonly<Record<number, LineHits>>;
  readonly problems: readonly Problem[];
}

/** Entries that are read at a time, and looked through at most. */
const [PAGE, MOST] = [500, 20_000];
const MOST_JUDGED = 500;
const POINTS = 60;
/** The event loop turns after so long. Milliseconds. */
const SLICE_MS = 5;

/** What each rule did since a time. Works in slices, so that nothing else waits for it. */
export async function rulesOverview(
  needs: OverviewNeeds,
  { since, judged: wanted = MOST_JUDGED }: OverviewQuery,
): Promise<RulesOverview> {
  const ruleset = needs.ruleset();
  const problems = needs.problems();
  const span = { since, until: Math.max(needs.now(), since + 1) };
  const found = new Map(ruleset.rules.map((rule) => [rule.id, new Found(rule)]));
  const rest = slices();
  let [events, judged] = [0, 0];
  let before: number | undefined;
  let isWhole = false;
  while (!isWhole && events < MOST) {
    const page = await needs.journal({ limit: PAGE, ...(before !== undefined && { before }) });
    for (const row of page) {
      before = row.seq;
      if (row.arrivedAt < since) {
        isWhole = true;
        break;
      }
      events += 1;
      for (const run of row.runs) found.get(ruleOf(run) ?? "")?.ran(run, row, span);
      if (judged < Math.min(wanted, MOST_JUDGED) && judge(row, needs, found)) judged += 1;
      await rest();
    }
    isWhole ||= page.length < PAGE;
  }
  const files = new Map(ruleset.rules.map(({ source }) => [source.path, source.text]));
  return {
    rules: ruleset.rules.map((rule) => overviewOf(rule, found.get(rule.id), problems)),
    files: [...files].map(([path, text]) => ({
      path,
      text,
      lines: linesOf([...found.values()].filter((one) => one.rule.source.path === path)),
      problems: problems.filter(({ file }) => file === path),
    })),
    problems,
    events,
    isWhole,
    judged,
  };
}

type Row = Answers["journal"][number];

/** What was found of one rule. */
class Found {
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

  /** Rows come newest first. */
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

/** Whether the rules were asked of it. */
function judge(row: Row, { ruleset }: OverviewNeeds, found: ReadonlyMap<string, Found>): boolean {
  const event = readableEvent(row);
  if (event === undefined || row.state !== "done") return false;
  for (const verdict of verdictsOn(event, ruleset(), decided({ row }))) {
    found.get(verdict.ruleId)?.hits.judged(verdict);
  }
  return true;
}

function overviewOf(
  rule: CompiledRule,
  found: Found | undefined,
  problems: readonly Problem[],
): RuleOverview {
  const { id, name, file, enabled, stage } = rule;
  const lines = found?.hits.lines ?? [rule.line, rule.line];
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
    runs: found?.runs ?? 0,
    points: found?.points ?? [],
    ...(found?.lastRun !== undefined && { lastRun: found.lastRun }),
    ...(found?.lastError !== undefined && { lastError: found.lastError }),
    hidden,
  };
}

function linesOf(found: readonly Found[]): RuleFileOverview["lines"] {
  const lines: Record<number, LineHits> = {};
  for (const { hits } of found) {
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
