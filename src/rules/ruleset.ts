import type { ConversationScope } from "../events/conversation.ts";
import type { AccountEvent, Direction } from "../events/event.ts";
import type { Trigger } from "../events/triggers.ts";
import type { CompiledCondition, Evaluation, TriggerName } from "./evaluation/evaluation.ts";
import type { StateType } from "./expression/value-types/state-types.ts";
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
  /** Former ids. State stored under one of these ids belongs to the rule. */
  readonly formerly: readonly string[];
  readonly name?: string;
  /** Hash of the rule's content. A run belongs to one revision. */
  readonly revision: string;
  /** File of the rule, and its first line there. */
  readonly file: string;
  readonly line: number;
  /** Complete source, to compile this revision of the rule again later; one object for all rules of the file. */
  readonly source: RuleFileSource;
  /** Sort key. The rules of all files are judged in this order. */
  readonly place: readonly (string | number)[];
  readonly labels: readonly string[];
}

/** Files, secrets, functions and user state that a rule needs. */
interface RuleNeeds {
  /** Paths of the files (lists, media, used files) that the rule needs. */
  readonly named: readonly string[];
  /** Other files with rules that the rule calls. */
  readonly runs: readonly RuleFileSource[];
  /** Secrets that the rule's steps read, each with the place of its first use. */
  readonly secrets: readonly SecretUse[];
  /** Functions of modules that the rule's steps call. */
  readonly called: readonly CallUse[];
  /** User state that the rule's conditions and variables read. */
  readonly asksState: readonly StateUse[];
  /** All user state that the rule and its steps read or change. */
  readonly usesState: readonly StateUse[];
  /** Types of the values that the rule stores as user state or reads from user state. */
  readonly stateTypes: readonly StateType[];
}

/** Conditions under which a rule answers an event. */
interface RuleConditions {
  /** Account to which the rule is limited, if any: its id, or its handle in small letters. */
  readonly account?: string;
  readonly enabled: boolean;
  readonly stage: "draft" | "shadow" | "live";
  readonly triggers: readonly CompiledTrigger[];
  readonly conditions: readonly CompiledCondition[];
  /** Variables in order: each can read those above it, and conditions can read all of them. */
  readonly variables: readonly Variable[];
  /** Period of the rule in milliseconds since the epoch. Events outside of this period are skipped. */
  readonly active?: { readonly from: number; readonly to: number };
  /** Maximum age of an event in milliseconds. Older events are skipped. Absent: no limit. */
  readonly maxAgeMs?: number;
  readonly onReplay: "run" | "skip" | "notify";
  /** Name of the group, or path of the file: at most one rule of a group answers an event. Absent: no group. */
  readonly group?: string;
  readonly fallback: boolean;
  /** Whether the rule receives events before waiting runs and before other rules. */
  readonly interrupts: boolean;
}

/** Steps of a rule, and the limits of its runs. */
interface RuleCourse {
  readonly cooldown?: { readonly per: StatePer; readonly forMs: number };
  readonly limit?: RunLimit & { readonly per: StatePer };
  /** Handling of simultaneous runs with the same key. Absent: they run side by side. */
  readonly mode?: RunMode;
  /** Time limit of a run in milliseconds. Absent: no limit. */
  readonly timeoutMs?: number;
  /** Handling of active runs when the rule is changed or removed. */
  readonly onReload: "finish" | "cancel";
  readonly actions: readonly Step[];
  readonly onError: readonly Step[];
  /** Step labels by step id. */
  readonly stepIds: ReadonlyMap<string, string>;
}

/** Compiled rule: events can be matched with it, and it can run. */
export interface CompiledRule extends RuleIdentity, RuleNeeds, RuleConditions, RuleCourse {}

/** A step that calls a function of a module. */
export interface CallUse {
  /** Path as written in the rule file, relative to the folder of that file. */
  readonly module: string;
  /** Name under which the module exports the function. */
  readonly export: string;
  /** Position of the function's name in the rule file. */
  readonly at: Spot;
}

/** Named value that a rule computes before its conditions are evaluated. */
export interface Variable {
  readonly name: string;
  readonly value: TextTemplate;
}

export interface CompiledTrigger {
  readonly trigger: Trigger;
  /** Name and id of the trigger, as expressions and stored runs contain them. */
  readonly name: TriggerName;
  readonly direction: Direction;
  /** Conversations whose messages the trigger matches. */
  readonly scope: ConversationScope;
  readonly match: readonly CompiledCondition[];
  /** Position of the trigger in the rule file. */
  readonly at: Spot;
  /** Times of the trigger `schedule`. */
  readonly schedule?: Schedule;
  /** Query of the trigger `post.found`. */
  readonly query?: string;
}

/** All rules of one revision, in the order of their files and lines. */
export interface Ruleset {
  /** Hash of the rules' contents: equal texts have equal revisions. */
  readonly revision: string;
  readonly rules: readonly CompiledRule[];
  /** Secrets that enabled, live rules read, each with its first use. */
  readonly secrets: readonly SecretUse[];
  readonly byId: ReadonlyMap<string, CompiledRule>;
  /** Whether any rule names the account that it answers for. */
  readonly namesAccounts: boolean;
  /** Whether an enabled, live rule reads `sender.is_new`: then every person is recorded. */
  readonly remembersPeople: boolean;
  /**
   * Ids of rules whose runs a `stop_run` step can end. These runs hold a slot (see `mode`), by which the store finds
   * them.
   */
  readonly stoppable: ReadonlySet<string>;
  /**
   * Builds the index of the rules, in short pieces. Without this call, the first event builds the index in one piece.
   */
  prepare(): InPieces<void>;
  /** Returns the rules with one of these triggers, in order: rules with `interrupts` first, fallbacks last. */
  candidates(triggers: AccountEvent["triggers"]): readonly CompiledRule[];
  /** Returns the rules that the content of the event can start, in order; all others can't match. */
  survivors(evaluation: Evaluation): InPieces<Survivors>;
}

/** Rules to judge for one event. */
export interface Survivors {
  readonly rules: readonly CompiledRule[];
  /** Rules whose index lookup reads user state; some of them may match. Absent if there are none. */
  readonly byState?: NarrowedByState;
  /** Number of rules with a trigger for the event. */
  readonly listening: number;
}

/** Rules with a trigger of one event whose index lookup reads user state. */
export interface NarrowedByState {
  readonly search: StateSearch;
  /** Rules in the order in which they are judged. The search returns indexes into this list. */
  readonly ordered: readonly CompiledRule[];
}

/** Creates a ruleset of `rules`, which are in order: files by path, rules in file order. */
export function makeRuleset(rules: readonly CompiledRule[], revision: string): Ruleset {
  const ordered = [
    ...rules.filter((rule) => rule.interrupts),
    ...rules.filter((rule) => !rule.fallback && !rule.interrupts),
    ...rules.filter((rule) => rule.fallback && !rule.interrupts),
  ];
  const rulesByTriggers = new Map<string, readonly CompiledRule[]>();
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  let index: RuleIndex | undefined;
  const candidates: Ruleset["candidates"] = (triggers) => {
    const key = triggers.length === 1 ? (triggers[0] ?? "") : triggers.join(" ");
    let matchingRules = rulesByTriggers.get(key);
    if (!matchingRules) {
      matchingRules = ordered.filter((rule) =>
        rule.triggers.some((one) => triggers.includes(one.trigger)),
      );
      rulesByTriggers.set(key, matchingRules);
    }
    return matchingRules;
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

/** Returns the rule with the first of `ids` that is the current id of a rule. */
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
