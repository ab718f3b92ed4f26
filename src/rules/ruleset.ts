import type { AccountEvent, Direction } from "../events/event.ts";
import type { Trigger } from "../events/triggers.ts";
import type { CompiledCondition, TriggerName } from "./decide/evaluation.ts";
import type { Expression } from "./compile/expression.ts";
import { firstUses, type SecretUse } from "./secrets.ts";
import type { Step } from "./run/step.ts";

/** A rule ready to decide and to run. */
export interface CompiledRule {
  readonly id: string;
  readonly name?: string;
  /** Names this rule by its content. A run belongs to one revision. */
  readonly revision: string;
  /** The file it stands in, and its first line there. */
  readonly file: string;
  readonly line: number;
  /** The whole file, to compile the rule again as it is now; one object for all rules of the file. */
  readonly source: { readonly path: string; readonly text: string };
  /** Secrets that its steps read, each with its first use. */
  readonly secrets: readonly SecretUse[];
  readonly enabled: boolean;
  readonly stage: "draft" | "shadow" | "live";
  /** Absent: in no group. */
  readonly group?: string;
  readonly fallback: boolean;
  readonly triggers: readonly CompiledTrigger[];
  readonly conditions: readonly CompiledCondition[];
  readonly variables: readonly { readonly name: string; readonly expression: Expression }[];
  readonly cooldown?: { readonly per: CooldownScope; readonly forMs: number };
  /** Events older than this are left. Absent: any age. */
  readonly maxAgeMs?: number;
  readonly onReplay: "run" | "skip";
  readonly actions: readonly Step[];
  readonly onError: readonly Step[];
  /** Step labels by step id. */
  readonly stepIds: ReadonlyMap<string, string>;
}

export type CooldownScope = "sender" | "conversation" | "account" | "rule";

export interface CompiledTrigger {
  readonly trigger: Trigger;
  /** What expressions and runs call it. */
  readonly name: TriggerName;
  readonly direction: Direction;
  readonly match: readonly CompiledCondition[];
}

/** All rules of one revision, in the order in which they are evaluated. */
export interface Ruleset {
  /** Names the rules by their content: equal texts, equal revision. */
  readonly revision: string;
  readonly rules: readonly CompiledRule[];
  /** Secrets that rules which can run read, each with its first use. */
  readonly secrets: readonly SecretUse[];
  readonly byId: ReadonlyMap<string, CompiledRule>;
  /** The rules that an event with these triggers could start, in order, fallbacks after the others. */
  candidates(triggers: AccountEvent["triggers"]): readonly CompiledRule[];
}

/** A ruleset of `rules`, which are in order: files by path, rules in file order. */
export function makeRuleset(rules: readonly CompiledRule[], revision: string): Ruleset {
  const ordered = [
    ...rules.filter((rule) => !rule.fallback),
    ...rules.filter((rule) => rule.fallback),
  ];
  const known = new Map<string, readonly CompiledRule[]>();
  return {
    revision,
    rules,
    secrets: firstUses(rules.filter(canRun).flatMap((rule) => rule.secrets)),
    byId: new Map(rules.map((rule) => [rule.id, rule])),
    candidates(triggers) {
      const key = triggers.length === 1 ? (triggers[0] ?? "") : triggers.join(" ");
      let found = known.get(key);
      if (!found) {
        found = ordered.filter((rule) =>
          rule.triggers.some((one) => triggers.includes(one.trigger)),
        );
        known.set(key, found);
      }
      return found;
    },
  };
}

function canRun({ enabled, stage }: CompiledRule): boolean {
  return enabled && stage === "live";
}
