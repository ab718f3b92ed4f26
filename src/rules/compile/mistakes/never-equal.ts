import type { ASTNode } from "@marcbachmann/cel-js";
import type { Mistake } from "../../../config/problem.ts";
import { isHandleField, NOW, type RuleField } from "../../schema/fields.ts";
import { handleOf } from "../../../text/handle.ts";
import type { ExpressionFault } from "../../expression/expression-fault.ts";
import { fieldPath, inside, visit } from "../../expression/syntax-tree.ts";
import { neverHolds } from "./never-holds.ts";
import { comparedWithTime, isOtherTime } from "../habits/time-ranges.ts";

/** Operators by the one that means the same with the sides exchanged. */
const TURNED: Readonly<Record<string, string>> = { ">": "<", ">=": "<=", "<": ">", "<=": ">=" };

type Fields = ReadonlyMap<string, RuleField>;

/**
 * Returns a fault for each comparison of a field with a text that it never has, such as a handle with `@`, or a time of
 * day for a time.
 */
export function neverEqual(ast: ASTNode, fields: Fields): readonly ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  visit(ast, (node) => {
    faults.push(...otherCases(node));
    if (!/^(?:[!=<>]=|[<>]|in)$/.test(node.op)) return;
    const sides = inside(node);
    const field = sides.map(fieldPath).find((path) => path !== "");
    const literals = sides.flatMap((side) => (side.op === "list" ? side.args : [side]));
    if (field === undefined) return;
    const texts = literals.flatMap((one) =>
      one.op === "value" && typeof one.args === "string" ? [one.args] : [],
    );
    const isTurned = sides[0]?.op === "value";
    const op = isTurned ? (TURNED[node.op] ?? node.op) : node.op;
    const mistake = mistakeOf(field, op, texts, fields);
    if (mistake === undefined) return;
    faults.push({ mistake, offset: node.start, length: Math.max(1, node.end - node.start) });
  });
  return faults;
}

/** Returns a fault for each text in another case than the one into which `lower()` or `upper()` brings the text beside it. */
function otherCases(node: ASTNode): readonly ExpressionFault[] {
  const { op } = node;
  const isCall = op === "rcall" && /^(?:contains|startsWith|endsWith)$/.test(node.args[0]);
  if (!isCall && !/^(?:[!=]=|in)$/.test(op)) return [];
  const sides = inside(node);
  const call = sides.find((side) => side.op === "rcall" && /^(?:lower|upper)$/.test(side.args[0]));
  if (call?.op !== "rcall") return [];
  const [name] = call.args;
  return sides
    .flatMap((side) => (side.op === "list" ? side.args : [side]))
    .flatMap(({ op: kind, args, start, end }) => {
      if (kind !== "value" || typeof args !== "string") return [];
      const text = name === "lower" ? args.toLowerCase() : args.toUpperCase();
      if (text === args) return [];
      const message = `${name}() never gives ${JSON.stringify(args)}`;
      const help = `write  ${JSON.stringify(text)}`;
      const mistake = { code: "never-holds", severity: "warning", message, help } as const;
      return [{ mistake, offset: start, length: Math.max(1, end - start) }];
    });
}

function mistakeOf(
  field: string,
  op: string,
  texts: readonly string[],
  fields: Fields,
): Mistake | undefined {
  const type = (field === "now" ? NOW : fields.get(field))?.type;
  if (type === "time") {
    const time = texts.find((text) => isOtherTime(op, text));
    return time === undefined ? undefined : timeMistake(field, op, time, texts);
  }
  if (type === undefined || !/^(?:[!=]=|in)$/.test(op)) return undefined;
  const handle = isHandleField(field) ? texts.find((text) => handleOf(text) !== text) : undefined;
  if (handle !== undefined) {
    const message = `${field} holds handles without @`;
    const help = `write  ${JSON.stringify(handleOf(handle))}`;
    return { code: "never-holds", severity: "warning", message, help };
  }
  return neverHolds(field, type === "list of texts", { operator: "equals", written: texts })[0];
}

function timeMistake(field: string, op: string, text: string, texts: readonly string[]): Mistake {
  const [hour] = /^\d{1,2}(?=:\d\d)/.exec(text) ?? [];
  // 09:30 is after "09:00", and its hour is not after 9
  const sign = op.startsWith(">") ? ">=" : op.startsWith("<") ? "<" : "==";
  const compared = texts.map((one) => comparedWithTime(field, op, one));
  const byTime = compared.length > 1 ? `(${compared.join(" || ")})` : compared.join("");
  const isEqual = /^(?:[!=]=|in)$/.test(op);
  const form = `timestamp(${field}).getHours("Europe/Berlin") ${sign} ${Number(hour)}`;
  return {
    code: "operand-type",
    severity: "warning",
    message: `${field} is a text such as "2026-01-01T09:00:00.000Z", which is compared with ${JSON.stringify(text)} letter by letter`,
    help: !compared.includes(undefined)
      ? `write  ${byTime}`
      : hour === undefined
        ? `write year, month and day, as  ${isEqual ? `${field}.startsWith("2026-12-24")` : '"2026-12-24"'}`
        : `write  ${form}  or the condition  now: { within: HOURS }`,
  };
}
