import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { valueAt } from "../../../config/check-value.ts";
import type { Mistake } from "../../../config/problem.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { CompileContext } from "../compile-context.ts";
import {
  ANY_ACCESS,
  eachRead,
  type Learned,
  pathOf,
  STAND_INS,
  typesBeside,
} from "../../expression/absence.ts";
import { withOptionalAccess } from "../../expression/or-value.ts";
import { visit } from "../../expression/syntax-tree.ts";
import { expressionPlaces } from "../../expression/template.ts";
import { ownMember } from "../../../system/own-member.ts";

/** Circumstances in which the result of a step, or a part of it, is absent. */
export interface Absence {
  /** The circumstances, as a message states them: `if the step fails`. */
  readonly when: string;
  /** Members that the result has even then. */
  readonly present: ReadonlySet<string>;
  /** How to change the rule so that the result is always present. */
  readonly help?: string;
}

const NOTHING: ReadonlySet<string> = new Set();
const OF_FAILURE: ReadonlySet<string> = new Set(["ok", "error", "status"]);

/** Results of a rule's steps, read in its `on_error`: the run may have failed before the step. */
export const IN_ON_ERROR: Absence = {
  when: "if the run failed at or before the step",
  present: NOTHING,
};

/** Result of a step in a block that may not run, such as `then`, read outside the block. */
export const OUTSIDE_BLOCK: Absence = {
  when: "if the steps around it do not run",
  present: NOTHING,
  help: "move this step there",
};

/** Result of a step inside a `repeat` or `parallel`, read after a failure of that step. */
export const AFTER_FAILURE: Absence = {
  when: "if the steps around it fail at or before it",
  present: NOTHING,
};

/** Returns when the result of a step is absent in the steps after it; `undefined` if the step always has its result. */
export function absenceOf(step: unknown): Absence | undefined {
  if (valueAt(step, ["if"]) !== undefined) {
    return { when: "if its condition does not hold", present: NOTHING };
  }
  const verb = valueAt(step, ["ask"]) === undefined ? "wait_for" : "ask";
  if (continuesAfter(valueAt(step, [verb, "on_timeout"]))) {
    const when = verb === "ask" ? "if no answer arrives in time" : "if the event does not happen";
    return { when, present: OF_FAILURE, help: "end on_timeout with  - stop" };
  }
  if (continuesAfter(valueAt(step, ["ask", "on_invalid"]))) {
    const help = "end on_invalid with  - stop";
    return { when: "if no answer is valid", present: OF_FAILURE, help };
  }
  return continuesOnError(step) ? { when: "if the step fails", present: OF_FAILURE } : undefined;
}

/** Returns whether the rule continues after a failure of the step. */
export function continuesOnError(step: unknown): boolean {
  return (
    valueAt(step, ["continue_on_error"]) === true || continuesAfter(valueAt(step, ["on_error"]))
  );
}

/** Returns when the result of a step is absent in its own blocks: all but its `on_held` run after a failure. */
export function inFailure(step: unknown): Absence | undefined {
  if (valueAt(step, ["on_held"]) !== undefined) return undefined;
  return { when: "here, because the step has failed", present: OF_FAILURE };
}

function continuesAfter(block: unknown): boolean {
  return Array.isArray(block) && block.length > 0 && !alwaysStops(block);
}

/** Returns whether a list of steps ends the run in every case. */
function alwaysStops(block: unknown): boolean {
  if (!Array.isArray(block)) return false;
  return block.some((step: unknown) => {
    if (step === "stop") return true;
    if (valueAt(step, ["enabled"]) === false) return false;
    const branches = valueAt(step, ["else_if"]) ?? [];
    if (valueAt(step, ["then"]) === undefined) {
      return valueAt(step, ["stop"]) !== undefined && valueAt(step, ["if"]) === undefined;
    }
    const others: readonly unknown[] = Array.isArray(branches) ? branches : [];
    return (
      [step, ...others].every((one) => alwaysStops(valueAt(one, ["then"]))) &&
      alwaysStops(valueAt(step, ["else"]))
    );
  });
}

/** Returns whether a step, or a step inside it, can end the run. */
export function hasStop(step: unknown): boolean {
  if (step === "stop") return true;
  if (Array.isArray(step)) return step.some(hasStop);
  if (typeof step !== "object" || step === null) return false;
  return Object.entries(step).some(([key, inner]) => key === "stop" || hasStop(inner));
}

/**
 * Warns about the first read of each step's result in an expression that fails when the result is absent.
 *
 * @param absences Absences of the results, by the steps' ids.
 * @param isList Whether the value of the expression is a list.
 */
export function checkAbsence(
  context: CompileContext,
  path: Path,
  text: string,
  { absences, isList }: { readonly absences: Absences; readonly isList: boolean },
): void {
  for (const { source, offset } of expressionsIn(text)) {
    const parsed = parsedBy(context.scope.environment, source);
    if (parsed === undefined) continue;
    const types = typesBeside(parsed.ast);
    const reported = new Set<string>();
    const learnedBy: Learned = (test, outcome) => learnedResults(test, outcome, absences);
    eachRead(parsed.ast, learnedBy, (node, present) => {
      const { id = "", member = "" } = resultRead(node) ?? {};
      const absence = absences.get(id);
      if (absence === undefined || absence.present.has(member)) return false;
      if (present.has(id) || reported.has(id)) return false;
      reported.add(id);
      const [start, end] = [parsed.written(node.start), parsed.written(node.end)];
      const read = source.slice(start, end);
      const isWhole = node === parsed.ast && isList;
      const type = isWhole ? "list of texts" : (types.get(node) ?? "text");
      const own = read === `steps.${id}.${member}` ? ownMember(MEMBERS, member) : undefined;
      const mistake = mistakeOf(read, absence, own ?? STAND_INS[type]);
      context.report(path, mistake, { text, offset: offset + start, length: read.length });
      return true;
    });
  }
}

type Absences = ReadonlyMap<string, Absence | undefined>;

function mistakeOf(read: string, { when, help }: Absence, standIn: string): Mistake {
  const inStead = `write ${read}.orValue(${standIn})`;
  return {
    code: "may-be-absent",
    severity: "warning",
    message: `"${read}" is absent ${when}, and then this expression fails`,
    help: help === undefined ? inStead : `${help}, or ${inStead}`,
  };
}

/** Returns the expressions of a text: each `${{ }}`, or the whole text of an `if`. */
function expressionsIn(text: string): readonly { source: string; offset: number }[] {
  const places = expressionPlaces(text);
  if (places.length === 0) return [{ source: text, offset: 0 }];
  return places.map(({ open, close }) => ({
    source: text.slice(open + 3, Math.max(close, open + 3)),
    offset: open + 3,
  }));
}

/** Parses an expression with CEL's optional access for `orValue` and `has`; `undefined` if it can't be read. */
function parsedBy(environment: Environment, source: string) {
  try {
    const { ast } = environment.parse(source);
    const changed = withOptionalAccess(source, ast);
    if (changed === undefined) return { ast, written: (offset: number) => offset };
    return { ast: environment.parse(changed.source).ast, written: changed.written };
  } catch {
    // the compilation of the expression reports why
    return undefined;
  }
}

/** Returns the step and the member that an access such as `steps.order.json.items[0].name` reads. */
function resultRead(node: ASTNode): { id: string; member: string } | undefined {
  if (node.op !== "." && node.op !== "[]") return undefined;
  const [, id, member] = RESULT_MEMBER.exec(pathOf(node) ?? "") ?? [];
  return id === undefined || member === undefined ? resultRead(node.args[0]) : { id, member };
}

const RESULT_MEMBER = /^steps\.(\w+)\.(\w+)$/;

/**
 * Returns the ids of steps whose results are present if `test` has the value `outcome`. Any other test of a result with
 * `orValue`, or of its `ok`, `error` or `status`, probably serves to find out whether the result is present.
 */
function learnedResults(test: ASTNode, outcome: boolean, absences: Absences): readonly string[] {
  const isHas = test.op === "call" && test.args[0] === "has";
  const tested = isHas ? test.args[1][0] : test;
  const [, id = "", member = ""] =
    /^steps\.(\w+)\.(\w+)/.exec((tested && pathOf(tested, ANY_ACCESS)) ?? "") ?? [];
  if (isHas && member === "error") return outcome ? [] : [id];
  if (isHas) return outcome && absences.get(id)?.present.has(member) === false ? [id] : [];
  if (member === "ok" && test.op === ".") return outcome ? [id] : [];
  const ids: string[] = [];
  visit(test, (one) => {
    const [, read = "", of = ""] = RESULT_MEMBER.exec(pathOf(one) ?? "") ?? [];
    if (OF_FAILURE.has(of)) ids.push(read);
    if (one.op === ".?" && pathOf(one.args[0]) === "steps") ids.push(one.args[1]);
  });
  return ids;
}

/** Values to read in place of absent members that are not texts. */
const MEMBERS: Readonly<Record<string, string>> = {
  ok: "false",
  status: "0",
  people: "0",
  ids: "[]",
};
