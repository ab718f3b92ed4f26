import type { AccountEvent, Direction } from "../events/event.ts";
import type { Trigger } from "../events/triggers.ts";
import type { CompiledCondition, Evaluation, TriggerName } from "./evaluation/evaluation.ts";
import type { StateType } from "./expression/types/state-types.ts";
import type { TextTemplate } from "./expression/template.ts";
import type { RunMode } from "./decide/mode.ts";
import type { RunLimit } from "./decide/limit.ts";
import type { StatePer, StateUse } from "./schema/state-keys.ts";
import { indexing, type RuleIndex } from "./index/rule-index.ts";
import type { StateSearch } from "./index/state-index.ts";
import { type InPieces, inOnePiece } from "../system/in-pieces.ts";
import { firstUses, type SecretUse } from "./secrets.ts";
import type { Spot } from "../config/problem.ts";
import type { RuleFileSource } from "./rule-file-source.ts";
import { allSteps, type Step } from "./run/step.ts";
import type { Schedule } from "./schedule/schedule.ts";

export { homeOf, idIn, type RuleFileSource } from "./rule-file-source.ts";

/** Identity of a rule, and its place in the files. */
interface RuleIdentity {
  readonly id: string;
  /** Ids that it had: what is kept under them is its own. */
  readonly formerly: readonly string[];
  readonly name?: string;
  /** Names this rule by its content. A run belongs to one revision. */
  readonly revision: string;
  /** The file it stands in, and its first line there. */
  readonly file: string;
  readonly line: number;
  /** The whole file, to compile the rule again as it is now; one object for all rules of the file. */
  readonly source: RuleFileSource;
  /** Where it stands among the rules of all files: in this order they are asked. */
  readonly place: readonly (string | number)[];
  readonly labels: readonly string[];
}

/** Files, secrets, functions and user state that a rule needs. */
interface RuleNeeds {
  /** Paths of those that this rule needs. */
  readonly named: readonly string[];
  /** Other files, in which rules stand whose steps it runs. */
  readonly runs: readonly RuleFileSource[];
  /** Secrets that its steps read, each with its first use. */
  readonly secrets: readonly SecretUse[];
  /** Functions of modules that its steps call. */
  readonly called: readonly CallUse[];
  /** User state that its conditions and variables read. */
  readonly asksState: readonly StateUse[];
  /** All user state that it reads or changes, that of its steps included. */
  readonly usesState: readonly StateUse[];
  /** Kinds of values that the rule reads and keeps as state. */
  readonly stateTypes: readonly StateType[];
}

/** Conditions under which a rule answers an event. */
interface RuleConditions {
  /** It answers for this account only: its id, or its handle in small letters. */
  readonly account?: string;
  readonly enabled: boolean;
  readonly stage: "draft" | "shadow" | "live";
  readonly triggers: readonly CompiledTrigger[];
  readonly conditions: readonly CompiledCondition[];
  /** In order: each sees those above it, and conditions see them all. */
  readonly variables: readonly Variable[];
  /** Events before or after are left. Milliseconds since the epoch. */
  readonly active?: { readonly from: number; readonly to: number };
  /** Events older than this are left. Absent: any age. */
  readonly maxAgeMs?: number;
  readonly onReplay: "run" | "skip" | "notify";
  /** A name, or the path of its file: of its rules at most one answers an event. Absent: in no group. */
  readonly group?: string;
  readonly fallback: boolean;
  /** It gets an event before the runs that wait for one, and before the other rules. */
  readonly interrupts: boolean;
}

/** Steps of a rule, and the bounds of its runs. */
interface RuleCourse {
  readonly cooldown?: { readonly per: StatePer; readonly forMs: number };
  readonly limit?: RunLimit & { readonly per: StatePer };
  /** How its runs go together whose key is the same. Absent: side by side. */
  readonly mode?: RunMode;
  /** How long a run may take, in milliseconds. Absent: as long as it wants. */
  readonly timeoutMs?: number;
  /** What becomes of a run when its rule is changed or removed. */
  readonly onReload: "finish" | "cancel";
  readonly actions: readonly Step[];
  readonly onError: readonly Step[];
  /** Step labels by step id. */
  readonly stepIds: ReadonlyMap<string, string>;
}

/** A rule ready to decide and to run. */
export interface CompiledRule extends RuleIdentity, RuleNeeds, RuleConditions, RuleCourse {}

/** A step that calls a function of a module. */
export interface CallUse {
  /** As written in the rule file: a path that starts from its folder. */
  readonly module: string;
  /** Name of the export. */
  readonly export: string;
  /** Where the target is written. */
  readonly at: Spot;
}

/** Named value that a rule computes before its conditions are evaluated. */
export interface Variable {
  readonly name: string;
  readonly value: TextTemplate;
}

export interface CompiledTrigger {
  readonly trigger: Trigger;
  /** What expressions and runs call it. */
  readonly name: TriggerName;
  readonly direction: Direction;
  readonly match: readonly CompiledCondition[];
  /** Where it is written. */
  readonly at: Spot;
  /** Of the trigger schedule: when it comes. */
  readonly schedule?: Schedule;
}

/** All rules of one revision, in the order in which they are evaluated. */
export interface Ruleset {
  /** Names the rules by their content: equal texts, equal revision. */
  readonly revision: string;
  readonly rules: readonly CompiledRule[];
  /** Secrets that rules which can run read, each with its first use. */
  readonly secrets: readonly SecretUse[];
  readonly byId: ReadonlyMap<string, CompiledRule>;
  /** Some rule names the account that it answers for. */
  readonly namesAccounts: boolean;
  /** Some rule that can run asks for `sender.is_new`: who was met is to be kept. */
  readonly remembersPeople: boolean;
  /** Ids of rules whose runs a step of some rule ends by the person: their open runs can be found. */
  readonly stoppable: ReadonlySet<string>;
  /** Makes ready to decide, in pieces; else the first event does it in one. */
  prepare(): InPieces<void>;
  /** The rules that an event with these triggers could start, in order: those that interrupt first, fallbacks last. */
  candidates(triggers: AccountEvent["triggers"]): readonly CompiledRule[];
  /** Those of them that the event can start by what is in it; the others need not be judged. In order. */
  survivors(evaluation: Evaluation): InPieces<Survivors>;
}

/** The rules to judge for one event. */
export interface Survivors {
  readonly rules: readonly CompiledRule[];
  /** Rules that user state narrows: some of them may be to judge as well. Absent where there are none. */
  readonly byState?: NarrowedByState;
  /** How many rules listen to the event. */
  readonly listening: number;
}

/** Rules listening to one event that user state narrows. */
export interface NarrowedByState {
  readonly search: StateSearch;
  /** Rules in the order in which they are judged: the search gives places among them. */
  readonly ordered: readonly CompiledRule[];
}

/** A ruleset of `rules`, which are in order: files by path, rules in file order. */
export function makeRuleset(rules: readonly CompiledRule[], revision: string): Ruleset {
  const ordered = [
    ...rules.filter((rule) => rule.interrupts),
    ...rules.filter((rule) => !rule.fallback && !rule.interrupts),
    ...rules.filter((rule) => rule.fallback && !rule.interrupts),
  ];
  const known = new Map<string, readonly CompiledRule[]>();
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  let index: RuleIndex | undefined;
  const candidates: Ruleset["candidates"] = (triggers) => {
    const key = triggers.length === 1 ? (triggers[0] ?? "") : triggers.join(" ");
    let found = known.get(key);
    if (!found) {
      found = ordered.filter((rule) => rule.triggers.some((one) => triggers.includes(one.trigger)));
      known.set(key, found);
    }
    return found;
  };
  return {
    revision,
    rules,
    *prepare() {
      index ??= yield* indexing(ordered);
    },
    secrets: firstUses(rules.filter(canRun).flatMap((rule) => rule.secrets)),
    remembersPeople: rules.filter(canRun).some(({ usesState }) => usesState.some(isMet)),
    namesAccounts: rules.some(({ account }) => account !== undefined),
    byId,
    stoppable: stoppableRules(rules, byId),
    candidates,
    *survivors(evaluation) {
      index ??= inOnePiece(indexing(ordered));
      const survivors: CompiledRule[] = [];
      for (const place of yield* index.survivors(evaluation)) {
        const rule = ordered[place];
        if (rule !== undefined) survivors.push(rule);
      }
      const search = yield* index.byState(evaluation.event.triggers);
      return {
        rules: survivors,
        listening: candidates(evaluation.event.triggers).length,
        ...(search && { byState: { search, ordered } }),
      };
    },
  };
}

function stoppableRules(
  rules: readonly CompiledRule[],
  byId: Ruleset["byId"],
): ReadonlySet<string> {
  const stopped = rules.flatMap(({ actions, onError }) =>
    allSteps([...actions, ...onError]).flatMap(({ stops }) => stops?.rules ?? []),
  );
  return new Set(stopped.flatMap(({ ids }) => ruleNamed(ids, byId)?.id ?? []));
}

/** The rule that has one of `ids`; with the first of them rather than with the second. */
export function ruleNamed(
  ids: readonly string[],
  byId: ReadonlyMap<string, CompiledRule>,
): CompiledRule | undefined {
  return ids.map((id) => byId.get(id)).find((rule) => rule !== undefined);
}

function isMet({ kind }: StateUse): boolean {
  return kind === "met";
}

function canRun({ enabled, stage }: CompiledRule): boolean {
  return enabled && stage === "live";
}
