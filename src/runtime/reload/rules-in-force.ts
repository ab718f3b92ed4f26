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
import { oneByOne } from "../loop/one-by-one.ts";
import { inSlices } from "../loop/in-slices.ts";
import type { StoreStats } from "../store/listings.ts";
import type { Store } from "../store/store.ts";
import { type Changes, changesInWords, ruleChanges } from "./what-changed.ts";
import { type LookAtRuns, type SupersededRules, supersededRules } from "./superseded-rules.ts";

/** Rules that are active until a reload replaces them. */
export interface RulesInForce {
  readonly ruleset: Ruleset;
  /** Problems of the current files. */
  readonly problems: readonly Problem[];
  /** Paths of files to which the rule files refer. */
  readonly named: readonly string[];
  /**
   * Reloads the files; rules with errors keep their last working version. Reloads run one at a time.
   *
   * @throws {StoreError} when the store can't be read or written. The next call does what this one has not done.
   */
  reload(): Promise<ReloadedRules>;
  /**
   * Calls `listener` with the ids of changed rules whenever edited rules become active. Returns the function that
   * unsubscribes.
   */
  onChanged(listener: (changes: Changes) => void): () => void;
  /**
   * Functions by which the rules of the leader (the process that reads the rule files) become active in all processes.
   * Absent if the store is not shared.
   */
  readonly together?: RulesTogether;
  /**
   * Registers a function that checks the open runs of changed or removed rules. It is called at once for the rules that
   * an earlier process replaced without this check. Its errors are logged.
   */
  follow(look: LookAtRuns): Promise<void>;
  /**
   * Checks the runs of newly acquired partitions: their rules may have been replaced in the meantime.
   *
   * @throws {StoreError} when the store can't be read or written.
   */
  checkTakenPartitions(): Promise<void>;
}

/** Functions that give all processes of a shared store the same rules. */
export interface RulesTogether {
  /** Starts or stops leading: the rule files of the leader are active in all processes. */
  lead(isLeading: boolean): Promise<void>;
  /** Loads the rules that the leader has published; does nothing while this process leads. */
  follow(): Promise<void>;
}

/** Result of reloading the rule files. */
export interface ReloadedRules {
  readonly revision: string;
  /** Whether the rules differ from the rules that were active before. */
  readonly changed: boolean;
  readonly count: number;
  /** Ids of rules with errors, whose last working version stays active. */
  readonly kept: readonly string[];
  readonly problems: readonly Problem[];
}

export interface RulesInForceNeeds {
  /** Reads the current rule files. */
  readonly read: () => Promise<readonly SourceFile[]>;
  readonly store: Pick<Store, "getMeta" | "setMeta" | "changeMetas" | "stats" | "isShared">;
  readonly log: Log;
  /** Finds problems that are not in the files, such as unset secrets. Called before rules become active. */
  readonly look: (ruleset: Ruleset) => readonly Problem[];
  /** Called with the problems that the previous load did not find. */
  readonly report: (problems: readonly Problem[]) => void;
}

/**
 * Names of the store's values with the active rules, so that a rule with errors keeps its last working version at a
 * restart.
 */
const REVISION = "rules-revision";
const SOURCES = "rules-sources";

/** Reads and compiles the rule files. For rules with errors, the store may have the last working version. */
export async function openRulesInForce(needs: RulesInForceNeeds): Promise<RulesInForce> {
  const { read, store, log, look, report } = needs;
  let ruleset = makeRuleset([], "");
  let problems: readonly Problem[] = [];
  let named: readonly string[] = [];
  const { isShared } = store;
  const superseded = supersededRules(store, log, { isShared });
  let isLeading = !isShared;
  /** Revision of the rules that a leader published and this process loaded last. */
  let published: string | undefined;
  const listeners = new Set<(changes: Changes) => void>();
  const compiledFiles = new CompiledFiles();

  const load = async (previous: () => Promise<Ruleset>): Promise<ReloadedRules> => {
    const files = await read();
    named = [...new Set(files.flatMap((file) => Object.keys(file.named ?? {})))];
    let compiled = await inSlices(compiling(files, undefined, { fileCache: compiledFiles }));
    if (hasErrors(compiled.problems)) {
      compiled = await inSlices(compiling(files, await previous(), { fileCache: compiledFiles }));
    }
    const all = [...compiled.problems, ...look(compiled.ruleset)];
    const earlier = new Set(problems.map(headline));
    const fresh = all.filter((problem) => !earlier.has(headline(problem)));
    const changed = compiled.ruleset.revision !== ruleset.revision;
    if (changed) await inSlices(compiled.ruleset.prepare());
    if (isLeading) await keep(store, compiled.ruleset, superseded);
    if (changed) await enforce(compiled.ruleset);
    problems = all;
    if (fresh.length > 0) report(fresh);
    const keptRules = compiled.oldRules.map(({ id }) => id);
    if (keptRules.length > 0 && (changed || fresh.length > 0)) {
      log.warn({ rules: keptRules }, "rules with errors keep their last working version");
    }
    await superseded.settle();
    const { revision, rules } = compiled.ruleset;
    return { revision, changed, count: rules.length, kept: keptRules, problems: all };
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
    for (const listener of listeners) listener(changes);
  };
  /** Activates the rules that a leader has published. @returns Whether a leader has published rules. */
  const takeOver = async (isPoll = false): Promise<boolean> => {
    const revision = await store.getMeta(REVISION, isPoll);
    if (revision === undefined) return false;
    if (revision === published) return true;
    const { rules } = await lastGood(store);
    // The leader is publishing at this moment: the next call of `follow` finds the rules complete.
    if ((await store.getMeta(REVISION)) !== revision) return true;
    const own = revisionOf(rules);
    if (own !== revision) {
      log.warn(
        { rules: rules.length, leader: revision, revision: own },
        "this version compiles the leader's rules differently from the leader; run the same version everywhere",
      );
    }
    const next = makeRuleset(rules, own);
    problems = look(next);
    await inSlices(next.prepare());
    if (own !== ruleset.revision) await enforce(next);
    await superseded.settle();
    // Last: if the store fails before, the next call takes the rules over.
    published = revision;
    return true;
  };

  if (!isShared || !(await takeOver())) await load(() => lastGood(store));
  const inTurn = oneByOne();
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
    checkTakenPartitions: () => superseded.settle(),
    ...(isShared && {
      together: {
        async lead(leads) {
          isLeading = leads;
          published = undefined;
          if (leads) await inTurn(() => load(() => lastGood(store)));
        },
        async follow() {
          if (!isLeading) await inTurn(() => takeOver(true));
        },
      },
    }),
  };
}

/** Describes how many open runs continue with the rule version with which they began; empty if there are none. */
function underWay({ runs }: StoreStats): string {
  const open = runs.ready + runs.waiting;
  if (open === 0) return "";
  return open === 1
    ? "; 1 run under way goes on as it began"
    : `; ${open} runs under way go on as they began`;
}

/** Stored text of a rule file, with the ids of the rules whose active version is in this text. */
interface KeptFile extends SourceFile {
  readonly ids: readonly string[];
  /** Other rule files that contain rules called by the rules of this file. */
  readonly runs?: CompiledRule["runs"];
}

async function keep(
  store: RulesInForceNeeds["store"],
  ruleset: Ruleset,
  superseded: SupersededRules,
): Promise<void> {
  const { revision, rules } = ruleset;
  const earlier = await store.getMeta(REVISION);
  if (earlier === revision) return;
  const text = await store.getMeta(SOURCES);
  // Compiling the old rules is needed only for `on_reload`, which most rules do not use.
  if (text?.includes("on_reload") === true) await superseded.note(await lastGood(store), ruleset);
  const bySource = new Map<CompiledRule["source"], CompiledRule[]>();
  for (const rule of rules) {
    const same = bySource.get(rule.source);
    if (same === undefined) bySource.set(rule.source, [rule]);
    else same.push(rule);
  }
  const files = [...bySource].map(([source, of]): KeptFile => {
    const runs = [...new Set(of.flatMap((rule) => rule.runs))];
    const ids = of.map(({ id }) => id);
    return { ...source, ids, ...(runs.length > 0 && { runs }) };
  });
  const isStored = await store.changeMetas([
    { name: SOURCES, was: text, to: JSON.stringify(files) },
    { name: REVISION, was: earlier, to: revision },
  ]);
  // A former leader has published its rules meanwhile: the later leader wins.
  if (!isStored) await keep(store, ruleset, superseded);
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
