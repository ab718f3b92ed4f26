import { valueAt } from "../../../config/check-value.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { CompileContext } from "../compile-context.ts";
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
  const isContinued = valueAt(step, ["continue_on_error"]) === true;
  if (!isContinued && !continuesAfter(valueAt(step, ["on_error"]))) return undefined;
  return { when: "if the step fails", present: OF_FAILURE };
}

/** Returns when the result of a step is absent in its own blocks: all but its `on_held` run after a failure. */
export function inFailure(step: unknown): Absence | undefined {
  const isOnlyHeld = valueAt(step, ["on_held"]) !== undefined;
  if (isOnlyHeld || valueAt(step, ["repeat"]) !== undefined) return undefined;
  return { when: "here, because the step has failed", present: OF_FAILURE };
}

function continuesAfter(block: unknown): boolean {
  return Array.isArray(block) && block.length > 0 && !hasStop(block);
}

/** Returns whether a step, or a step inside it, ends the run. */
export function hasStop(step: unknown): boolean {
  if (step === "stop") return true;
  if (Array.isArray(step)) return step.some(hasStop);
  if (typeof step !== "object" || step === null) return false;
  return Object.entries(step).some(([key, inner]) => key === "stop" || hasStop(inner));
}

/** Operators of an expression that probably tests whether a result is present. */
const TEST = /&&|\|\||\?|\b(?:and|or|has)\b/;

/** Text that reads a result, such as `${{ steps.order.text }}`, and when the result is absent. */
interface Reading {
  readonly text: string;
  readonly reference: RegExpExecArray;
  readonly absence: Absence | undefined;
}

/** Warns about an expression that fails when a result is absent. */
export function checkAbsence(
  context: CompileContext,
  path: Path,
  { text, reference: { index, 0: result }, absence }: Reading,
): void {
  if (absence === undefined) return;
  const start = text.lastIndexOf("${{", index);
  const end = start < 0 ? text.length : text.indexOf("}}", index);
  const [, chain = "", call] =
    /^((?:\.\w+)*)(\()?/.exec(text.slice(index + result.length, end)) ?? [];
  const names = chain.split(".").slice(1);
  const method = call === undefined ? undefined : names.pop();
  const [member] = names;
  if (member === undefined || method === "orValue" || absence.present.has(member)) return;
  const read = [result, ...names].join(".");
  if (TEST.test(text.slice(Math.max(start, 0), end))) return;
  const isNumber = BESIDE_NUMBER.test(text.slice(index + read.length, end));
  const standIn = ownMember(STAND_INS, member) ?? (isNumber ? "0" : '""');
  const inStead = `write ${read}.orValue(${standIn})`;
  const mistake = {
    code: "may-be-absent",
    severity: "warning",
    message: `"${read}" is absent ${absence.when}, and then this expression fails`,
    help: absence.help === undefined ? inStead : `${absence.help}, or ${inStead}`,
  } as const;
  context.report(path, mistake, { text, offset: index, length: read.length });
}

/** Rest of an expression that calculates with a value, or compares the value with a number. */
const BESIDE_NUMBER = /^ *(?:[<>]=?|[=!]=|[-+*/%]) *\d/;

/** Values to read in place of absent members that are not texts. */
const STAND_INS: Readonly<Record<string, string>> = {
  ok: "false",
  status: "0",
  people: "0",
  ids: "[]",
};
