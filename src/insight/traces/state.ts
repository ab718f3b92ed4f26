import type { AccountEvent } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import { cooldownKey, keyOf, STATE_OWNERS } from "../../rules/user-state.ts";
import { allSteps } from "../../rules/run.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import type { KeptVerdicts } from "./decided.ts";
import { RulePlaces } from "./rule-places.ts";
import type { TraceRun, TraceState, TraceWrite } from "./trace.ts";

/**
 * Returns the user state that the decision read, and the writes of its runs. A value that an expression computed is not
 * stored, so such a write has no value. Runs of rules that have changed since are left out.
 */
export function tracedState(
  event: AccountEvent,
  runs: readonly TraceRun[],
  { decision, ruleset }: { readonly decision: KeptVerdicts; readonly ruleset: Ruleset },
): TraceState {
  const { context } = decision;
  const before: Record<string, Json> = {};
  for (const key of decision.read) {
    const value = context.read?.(key);
    if (value !== undefined) before[key] = value;
  }
  const after = runs.flatMap((run) => writesOf(run, event, { before, ruleset, now: context.now }));
  return { before, after };
}

interface Around {
  readonly before: TraceState["before"];
  readonly ruleset: Ruleset;
  readonly now: number;
}

function writesOf(run: TraceRun, event: AccountEvent, around: Around): readonly TraceWrite[] {
  const { before, ruleset, now } = around;
  const rule = run.rule === undefined ? undefined : ruleset.byId.get(run.rule);
  if (rule === undefined || run.ruleChanged) return [];
  const text = new RulePlaces(rule);
  const steps = new Map(
    allSteps([...rule.actions, ...rule.onError]).map((one) => [one.label, one]),
  );
  const written = (
    name: string,
    key: string,
    rest: Omit<TraceWrite, "name" | "run">,
  ): TraceWrite => {
    const from = before[key];
    return { name, run: run.id, ...(from !== undefined && { from }), ...rest };
  };
  const cooling =
    rule.cooldown === undefined || run.branch !== undefined
      ? []
      : [
          written(`cooldown of ${rule.id}`, cooldownKey(rule.id, rule.cooldown.per, event), {
            to: run.startedAt ?? now,
          }),
        ];
  const bySteps = run.steps.flatMap(({ label, state, result }): readonly TraceWrite[] => {
    const step = steps.get(label);
    if (step === undefined || state !== "ok") return [];
    const value = text.valueAt(`${label}.${step.verb}`);
    if (step.verb === "count" && typeof result === "number") {
      return [{ name: `count ${nameIn(value)}`, run: run.id, step: label, to: result }];
    }
    if (step.verb === "increment") {
      const names = typeof value === "string" ? [value] : entriesOf(value).map(([name]) => name);
      return names.flatMap((name) => {
        const key = keyOfName(name, event);
        const to = typeof result === "number" ? { to: result } : {};
        return key === undefined ? [] : [written(name, key, { step: label, ...to })];
      });
    }
    if (step.verb !== "set") return [];
    return entriesOf(value).flatMap(([name, newValue]) => {
      const key = keyOfName(name, event);
      if (key === undefined) return [];
      const isKept = newValue !== undefined && !JSON.stringify(newValue).includes("${{");
      return [written(name, key, { step: label, ...(isKept && { to: newValue }) })];
    });
  });
  return [...cooling, ...bySteps];
}

function nameIn(value: unknown): string {
  return typeof value === "object" && value !== null && "name" in value ? String(value.name) : "";
}

function entriesOf(value: unknown): readonly (readonly [string, Json | undefined])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function keyOfName(name: string, event: AccountEvent): string | undefined {
  const [root, owner, variable] = name.split(".");
  const of = STATE_OWNERS.find((one) => one === owner);
  if (root !== "state" || of === undefined || variable === undefined) return undefined;
  return keyOf({ kind: "value", of, name: variable }, event);
}
