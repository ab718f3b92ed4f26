import { type PinnedRule, recompile } from "../../rules/compile.ts";
import type { CompiledRule, Ruleset } from "../../rules/ruleset.ts";
import type { RuleSource } from "../store/run.ts";
import type { DecidePort } from "../store/store.ts";

/** Rules that open runs need: the rules in use, and earlier revisions of rules. */
export interface RuleArchive {
  /** Returns the rule of a revision; undefined when it is neither in use nor stored. */
  find(revision: string): Promise<CompiledRule | undefined>;
  /** Returns the source to store with an open run of `rule`; undefined when it was stored within the last day. */
  toKeep(rule: CompiledRule, now: number): RuleSource | undefined;
  /** Records that sources were stored. Called only after the commit, since a decision may have to be repeated. */
  noteStored(sources: readonly RuleSource[]): void;
}

export interface RuleArchiveNeeds {
  /** Returns the rules in use. */
  readonly ruleset: () => Ruleset;
  readonly store: Pick<DecidePort, "ruleSource">;
}

/**
 * Milliseconds after which the source of a rule in use is stored again. A source that was last stored longer ago than
 * the retention time is pruned.
 */
const KEEP_AGAIN_MS = 24 * 60 * 60_000;

export function openRuleArchive({ ruleset, store }: RuleArchiveNeeds): RuleArchive {
  let current:
    | { readonly of: Ruleset; readonly rules: ReadonlyMap<string, CompiledRule> }
    | undefined;
  const inUse = (): ReadonlyMap<string, CompiledRule> => {
    const now = ruleset();
    if (current?.of !== now) {
      current = { of: now, rules: new Map(now.rules.map((rule) => [rule.revision, rule])) };
    }
    return current.rules;
  };
  const earlier = new Map<string, CompiledRule>();
  const keptAt = new Map<string, number>();
  return {
    async find(revision) {
      const cached = inUse().get(revision) ?? earlier.get(revision);
      if (cached !== undefined) return cached;
      const source = await store.ruleSource(revision);
      const rule = source && recompile(pinned(source));
      if (rule !== undefined) earlier.set(revision, rule);
      return rule;
    },
    toKeep(rule, now) {
      const { id: ruleId, revision, source } = rule;
      if (now - (keptAt.get(revision) ?? -Infinity) < KEEP_AGAIN_MS) return undefined;
      const { path, text } = source;
      return { revision, ruleId, path, text, ...besideOf(rule), savedAt: now };
    },
    noteStored(sources) {
      for (const { revision, savedAt } of sources) keptAt.set(revision, savedAt);
    },
  };
}

/**
 * Returns the named files and called rules that the rule depends on. They are stored with the rule's source, so that
 * later edits of them do not affect its open runs.
 */
function besideOf({ named, runs, source }: CompiledRule): Pick<RuleSource, "beside"> {
  const { use } = source;
  if (named.length === 0 && runs.length === 0 && use === undefined) return {};
  const needed = (file: CompiledRule["source"]) =>
    Object.fromEntries(
      named.flatMap((path) => {
        const content = file.named?.[path];
        return content === undefined ? [] : [[path, content] as const];
      }),
    );
  const called = runs.map((file) => ({ ...file, named: needed(file) }));
  const beside = { named: needed(source), use, ...(called.length > 0 && { runs: called }) };
  return { beside: JSON.stringify(beside satisfies BesideJson) };
}

type Beside = Pick<PinnedRule, "named" | "use" | "runs">;
type BesideJson = { readonly [Key in keyof Beside]?: Beside[Key] | undefined };

function pinned({ beside, revision, ruleId, path, text }: RuleSource): PinnedRule {
  const rest: Beside = beside === undefined ? {} : JSON.parse(beside);
  return { ruleId, revision, path, text, ...rest };
}
