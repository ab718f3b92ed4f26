import type { AccountEvent } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import { type Expression, inside, pathOf, jsonOf, type View } from "../../rules/evaluate.ts";
import {
  type RunState,
  runView,
  conditionsOf,
  IN_CALLED,
  ON_CALLED_ERROR,
  type Position,
  type Step,
} from "../../rules/run.ts";
import type { CompiledRule } from "../../rules/ruleset.ts";
import { readState } from "../../runtime/runs.ts";
import type { StoredRun } from "../../runtime/vocabulary.ts";
import { keptRun } from "../kept-run.ts";
import { valueInWords } from "./clause.ts";

/**
 * Condition of a step that a run has evaluated. For a repeated step, it is from the last round that reached the step.
 */
export interface DecidedCondition {
  /** Label of the condition, such as `actions[1]` or `actions[1].else_if[0]`. */
  readonly label: string;
  /** Text of the condition. Absent: the rule has changed since. */
  readonly source?: string;
  readonly holds: boolean;
  /** Stored values that the condition read, by path. A field without a value is null. */
  readonly read: Readonly<Record<string, Json>>;
  /** Paths that the condition read, whose values at that time are not stored. */
  readonly notKept: readonly string[];
  /** The condition in words, such as `if steps.sure.text == "yes": false (steps.sure.text = "Yes")`. */
  readonly inWords: string;
}

type DecidedRun = Pick<StoredRun, "body" | "owner" | "revision">;

/**
 * Returns the conditions that a run has evaluated, reconstructed from its stored state.
 *
 * @param event The event that started the run.
 * @param rule The revision of the rule that the run uses; `undefined` if unavailable.
 */
export function decidedConditions(
  run: DecidedRun,
  event: AccountEvent,
  rule: CompiledRule | undefined,
): readonly DecidedCondition[] {
  const { ways = {} } = keptRun(run);
  if (rule === undefined) return Object.entries(ways).map(withoutRule);
  const state = readState(run, event);
  const steps = placedSteps(rule);
  return Object.entries(ways).flatMap(([label, way]) => {
    const placed = steps.get(label);
    if (placed === undefined) return [];
    const { position, call } = placed;
    // an ended call's variables are no longer stored; an empty entry for the call lets conditions read its steps
    const calls = call === undefined ? {} : { calls: { [call]: {}, ...state.calls } };
    const view = runView({ ...state, ...calls, position }, rule, { now: state.startedAt });
    return conditionsOf(placed.step)
      .slice(0, way + 1)
      .map((test, nth) => decided(test, { label, nth, holds: nth === way, view, placed, state }));
  });
}

function withoutRule([label, way]: readonly [string, number]): DecidedCondition {
  const holds = way === 0;
  const inWords = `if: ${holds} (the rule has changed since: its text is not kept)`;
  return { label, holds, read: {}, notKept: [], inWords };
}

interface PlacedStep {
  readonly step: Step;
  readonly position: Position;
  readonly isRepeated: boolean;
  /**
   * Label of the step that calls another rule, to which this step belongs. Absent: the step belongs to the run's own
   * rule.
   */
  readonly call?: string;
}

type Around = Pick<PlacedStep, "isRepeated" | "call">;

interface Evaluated {
  readonly label: string;
  /** Index of the condition in its step, from 0. */
  readonly nth: number;
  readonly holds: boolean;
  readonly view: View;
  readonly placed: PlacedStep;
  readonly state: RunState;
}

function decided(test: Expression, at: Evaluated): DecidedCondition {
  const { label, nth, holds, view, placed } = at;
  const paths = pathsIn(test);
  const notKept = paths.filter((path) => !isKept(path, at));
  const keptPaths = paths.filter((path) => !notKept.includes(path));
  const again = notKept.length > 0 ? undefined : test.evaluate(view);
  const hasChanged = again !== undefined && (!again.ok || (again.value === true) !== holds);
  const shown = hasChanged ? [] : keptPaths;
  const read = Object.fromEntries(shown.map((path) => [path, valueIn(view, path)]));
  const word = nth === 0 ? "if" : "else_if";
  const round = placed.isRepeated ? " in the last round" : "";
  const values = inParentheses(read, hasChanged ? paths : notKept);
  return {
    label: nth === 0 ? label : `${label}.else_if[${nth - 1}]`,
    source: test.source,
    holds,
    read,
    notKept: hasChanged ? paths : notKept,
    inWords: `${word} ${test.source}: ${holds}${round}${values}`,
  };
}

function inParentheses(read: DecidedCondition["read"], notKept: readonly string[]): string {
  const values = Object.entries(read).map(
    ([path, value]) => `${path} = ${valueInWords(value ?? undefined)}`,
  );
  const gone = notKept.length === 0 ? [] : [`not kept as it was: ${notKept.join(", ")}`];
  const all = [...(values.length === 0 ? [] : [values.join(", ")]), ...gone];
  return all.length === 0 ? "" : ` (${all.join("; ")})`;
}

/** Matches paths whose values come from outside the run, or change during the run. */
const CHANGING =
  /^(?:state|now|hours|texts|inputs|repeat|secrets|sender\.(?:labels|is_new))(?:\.|$)/;

function isKept(path: string, { placed, state }: Evaluated): boolean {
  if (CHANGING.test(path)) return false;
  const { call } = placed;
  if (call !== undefined && path.startsWith("vars.") && !state.calls?.[call]) return false;
  if (placed.isRepeated && path.startsWith("steps.")) return false;
  // if a step of `on_error` failed too, its error has overwritten the one that the condition read
  return !path.startsWith("error.") || state.error?.step.includes("on_error") !== true;
}

/** Returns the full paths of the fields that an expression reads. */
function pathsIn({ ast }: Expression): readonly string[] {
  const paths = new Set<string>();
  const look = (node: Expression["ast"]): void => {
    const path = pathOf(node);
    if (path !== "") paths.add(path);
    else for (const child of inside(node)) look(child);
  };
  look(ast);
  return [...paths];
}

function valueIn(view: View, path: string): Json {
  let value: unknown = view;
  for (const key of path.split(".")) value = memberOf(value, key);
  return jsonOf(value ?? null);
}

function memberOf(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key);
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** Returns the steps of a rule by label, with their places. */
function placedSteps({ actions, onError }: CompiledRule): ReadonlyMap<string, PlacedStep> {
  const byLabel = new Map<string, PlacedStep>();
  const look = (steps: readonly Step[], block: Position, around: Around): void => {
    for (const [index, step] of steps.entries()) {
      const position = [...block, index];
      byLabel.set(step.label, { step, position, ...around });
      look(step.onError, [...position, "on_error"], around);
      for (const [name, inner] of Object.entries(step.blocks ?? {})) {
        const isRepeated = around.isRepeated || step.repeats?.block === name;
        const isCalled = name === IN_CALLED || name === ON_CALLED_ERROR;
        const call = isCalled ? { call: step.label } : {};
        look(inner, [...position, name], { ...around, isRepeated, ...call });
      }
    }
  };
  look(actions, ["actions"], { isRepeated: false });
  look(onError, ["on_error"], { isRepeated: false });
  return byLabel;
}
