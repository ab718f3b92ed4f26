import { hasErrors, headline, type Problem } from "../../config/problem.ts";
import {
  compiling,
  revisionOf,
  type SourceFile,
  CompiledFiles,
  recompileAll,
} from "../../rules/compile.ts";
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
  /** Where several processes share the store: the rules of the one that leads are in force for all. */
  readonly together?: RulesTogether;
  /** Tells who looks at runs of rules that were changed or removed; those of an earlier process are looked at now. */
  follow(look: LookAtRuns): Promise<void>;
}

/** What processes do to decide by the same rules. */
export interface RulesTogether {
  /** From now on the rule files of this process are in force for all, or no longer. */
  lead(isLeading: boolean): Promise<void>;
  /** Takes over what the leader has in force by now; nothing while this process leads. */
  follow(): Promise<void>;
  /** Partitions were taken: their runs are looked at, whose rules others have taken the place of. */
  taken(): Promise<void>;
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
  readonly store: Pick<Store, "getMeta" | "setMeta" | "stats" | "isShared">;
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
  const { isShared } = store;
  const superseded = supersededRules(store, log, { isShared });
  let isLeading = !isShared;
  /** The revision that the leader had published when it was taken over. */
  let published: string | undefined;
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
    if (changed) await inSlices(compiled.ruleset.prepare());
    if (isLeading) await keep(store, compiled.ruleset, superseded);
    if (changed) await enforce(compiled.ruleset);
    problems = all;
    if (fresh.length > 0) report(fresh);
    const kept = compiled.kept.map(({ id }) => id);
    if (kept.length > 0 && (changed || fresh.length > 0)) {
      log.warn({ rules: kept }, "broken rules go on as they were before");
    }
    const { revision, rules } = compiled.ruleset;
    return { revision, changed, count: rules.length, kept, problems: all };
  };

  const enforce = async (next: Ruleset): Promise<void> => {
    const isFirst = ruleset.revision === "";
    const changes = ruleChanges(ruleset, next);
    const goesOn = underWay(await store.stats());
    ruleset = next;
    if (!isFirst) {
      const fields = { rules: ruleset.rules.length, revision: ruleset.revision };
      log.info(fields, `rules reloaded: ${changesInWords(changes)}${goesOn}`);
    }
    await superseded.settle();
    for (const listener of listeners) listener(changes);
  };
  /** @returns Whether a leader has published rules: then they are in force here, too. */
  const takeOver = async (): Promise<boolean> => {
    const revision = await store.getMeta(REVISION);
    if (revision === undefined) return false;
    if (revision === published) return true;
    const { rules } = await lastGood(store);
    // Somebody publishes just now: the next look finds it whole.
    if ((await store.getMeta(REVISION)) !== revision) return true;
    const own = revisionOf(rules);
    if (own !== revision) {
      log.warn(
        { rules: rules.length, leader: revision, revision: own },
        "the leader's rules are others by this version: it compiles them in its own way",
      );
    }
    const next = makeRuleset(rules, own);
    problems = look(next);
    await inSlices(next.prepare());
    published = revision;
    if (own !== ruleset.revision) await enforce(next);
    return true;
  };

  if (!isShared || !(await takeOver())) await load(() => lastGood(store));
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work);
    turn = next.catch(() => undefined);
    return next;
  };
  const unchanged = (before: string): ReloadedRules => {
    const { revision, rules } = ruleset;
    return { revision, changed: revision !== before, count: rules.length, kept: [], problems };
  };
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
    reload: () =>
      inTurn(async () => {
        if (isLeading) return load(async () => ruleset);
        const { revision } = ruleset;
        await takeOver();
        return unchanged(revision);
      }),
    onChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    follow: (look) => superseded.follow(look),
    ...(isShared && {
      together: {
        async lead(leads) {
          isLeading = leads;
          published = undefined;
          if (leads) await inTurn(() => load(() => lastGood(store)));
        },
        async follow() {
          if (!isLeading) await inTurn(takeOver);
        },
        taken: () => superseded.settle(),
      },
    }),
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
