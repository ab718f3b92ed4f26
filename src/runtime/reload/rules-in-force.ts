import { hasErrors, headline, type Problem } from "../../config/problem.ts";
import { compiling, type SourceFile } from "../../rules/compile/compile.ts";
import { CompiledFiles } from "../../rules/compile/files/compiled-files.ts";
import { recompileAll } from "../../rules/compile/recompile.ts";
import { type CompiledRule, makeRuleset, type Ruleset } from "../../rules/ruleset.ts";
import type { Log } from "../log.ts";
import { inSlices } from "../loop/in-slices.ts";
import type { StoreStats } from "../store/listings.ts";
import type { Store } from "../store/store.ts";
import { type Changes, changesInWords, ruleChanges } from "./what-changed.ts";
import { type LookAtRuns, type SupersededRules, supersededRules } from "./superseded-rules.ts";

/** The rules that decide, until others take their place. */
export interface RulesInForce {
  readonly ruleset: Ruleset;
  /** What is wrong with the files as they are. */
  readonly problems: readonly Problem[];
  /** Paths of the files that the rule files name. */
  readonly named: readonly string[];
  /** Reads the files again; what is broken in them goes on as it was. One at a time. */
  reload(): Promise<ReloadedRules>;
  /** Calls `listener` whenever other rules are in force, with the ids of those that differ. Returns what ends that. */
  onChanged(listener: (changes: Changes) => void): () => void;
  /** Tells who looks at runs of rules that were changed or removed; those of an earlier process are looked at now. */
  follow(look: LookAtRuns): Promise<void>;
}

/** What has come of reading the rule files again. */
export interface ReloadedRules {
  readonly revision: string;
  /** `false`: they say what they said before. */
  readonly changed: boolean;
  readonly count: number;
  /** Ids of rules that are broken now and go on as they were. */
  readonly kept: readonly string[];
  readonly problems: readonly Problem[];
}

export interface RulesInForceNeeds {
  /** The rule files as they are now. */
  readonly read: () => Promise<readonly SourceFile[]>;
  readonly store: Pick<Store, "getMeta" | "setMeta" | "stats">;
  readonly log: Log;
  /** What is wrong beyond the files themselves: secrets that are not set. Called before rules are in force. */
  readonly look: (ruleset: Ruleset) => readonly Problem[];
  /** Told of problems that were not there before. */
  readonly report: (problems: readonly Problem[]) => void;
}

/** Under these names the store keeps the rules in force, so that a broken one has its last good revision after a restart, too. */
const REVISION = "rules-revision";
const SOURCES = "rules-sources";

/** Reads and compiles the rule files; of what is broken in them, the store may have what it was before. */
export async function openRulesInForce(needs: RulesInForceNeeds): Promise<RulesInForce> {
  const { read, store, log, look, report } = needs;
  let ruleset = makeRuleset([], "");
  let problems: readonly Problem[] = [];
  let named: readonly string[] = [];
  const superseded = supersededRules(store, log);
  const listeners = new Set<(changes: Changes) => void>();
  const compiledFiles = new CompiledFiles();

  const load = async (previous: () => Promise<Ruleset>): Promise<ReloadedRules> => {
    const files = await read();
    named = [...new Set(files.flatMap((file) => Object.keys(file.named ?? {})))];
    let compiled = await inSlices(compiling(files, undefined, { known: compiledFiles }));
    if (hasErrors(compiled.problems)) {
      compiled = await inSlices(compiling(files, await previous(), { known: compiledFiles }));
    }
    const all = [...compiled.problems, ...look(compiled.ruleset)];
    const known = new Set(problems.map(headline));
    const fresh = all.filter((problem) => !known.has(headline(problem)));
    const changed = compiled.ruleset.revision !== ruleset.revision;
    if (changed) {
      await inSlices(compiled.ruleset.prepare());
      await keep(store, compiled.ruleset, superseded);
      const isFirst = ruleset.revision === "";
      const changes = ruleChanges(ruleset, compiled.ruleset);
      const goesOn = underWay(await store.stats());
      ruleset = compiled.ruleset;
      if (!isFirst) {
        const fields = { rules: ruleset.rules.length, revision: ruleset.revision };
        log.info(fields, `rules reloaded: ${changesInWords(changes)}${goesOn}`);
      }
      await superseded.settle();
      for (const listener of listeners) listener(changes);
    }
    problems = all;
    if (fresh.length > 0) report(fresh);
    const kept = compiled.kept.map(({ id }) => id);
    if (kept.length > 0 && (changed || fresh.length > 0)) {
      log.warn({ rules: kept }, "broken rules go on as they were before");
    }
    const { revision, rules } = compiled.ruleset;
    return { revision, changed, count: rules.length, kept, problems: all };
  };

  await load(() => lastGood(store));
  let turn: Promise<unknown> = Promise.resolve();
  return {
    get ruleset() {
      return ruleset;
    },
    get problems() {
      return problems;
    },
    get named() {
      return named;
    },
    reload() {
      const next = turn.then(() => load(async () => ruleset));
      turn = next.catch(() => undefined);
      return next;
    },
    onChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    follow: (look) => superseded.follow(look),
  };
}

/** What goes on as it was, since runs keep to the rule as it was when they began. */
function underWay({ runs }: StoreStats): string {
  const open = runs.ready + runs.waiting;
  if (open === 0) return "";
  return open === 1
    ? "; 1 run under way goes on as it began"
    : `; ${open} runs under way go on as they began`;
}

/** A rule file, and which of its rules are in force as it has them. */
interface KeptFile extends SourceFile {
  readonly ids: readonly string[];
  /** Other files, in which rules stand whose steps those run. */
  readonly runs?: CompiledRule["runs"];
}

async function keep(
  store: RulesInForceNeeds["store"],
  ruleset: Ruleset,
  superseded: SupersededRules,
): Promise<void> {
  const { revision, rules } = ruleset;
  if ((await store.getMeta(REVISION)) === revision) return;
  const text = await store.getMeta(SOURCES);
  // most rules say nothing of it, and need not be compiled again for it
  if (text?.includes("on_reload") === true) await superseded.note(await lastGood(store), ruleset);
  const bySource = new Map<CompiledRule["source"], CompiledRule[]>();
  for (const rule of rules) {
    const known = bySource.get(rule.source);
    if (known === undefined) bySource.set(rule.source, [rule]);
    else known.push(rule);
  }
  const files = [...bySource].map(([source, of]): KeptFile => {
    const runs = [...new Set(of.flatMap((rule) => rule.runs))];
    const ids = of.map(({ id }) => id);
    return { ...source, ids, ...(runs.length > 0 && { runs }) };
  });
  await store.setMeta(SOURCES, JSON.stringify(files));
  await store.setMeta(REVISION, revision);
}

async function lastGood(store: RulesInForceNeeds["store"]): Promise<Ruleset> {
  const text = await store.getMeta(SOURCES);
  if (text === undefined) return makeRuleset([], "");
  const files: readonly KeptFile[] = JSON.parse(text);
  return makeRuleset(
    files.flatMap(({ ids, ...source }) => recompileAll(source, new Set(ids))),
    "",
  );
}
