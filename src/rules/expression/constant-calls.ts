import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { noZone } from "../../config/hours/hours-mistakes.ts";
import type { Mistake } from "../../config/problem.ts";
import { zoneFormat } from "../../hours/local-time.ts";
import { spokenDurationMs } from "../../text/spoken-duration.ts";
import type { ExpressionFault } from "./expression-fault.ts";
import { refillBudget } from "./functions/budget.ts";
import { visit } from "./syntax-tree.ts";

/** Conversions of a text, with the help for a text that can't be converted. */
const CONVERSIONS: Readonly<Record<string, (text: string) => string>> = {
  duration: helpForDuration,
  timestamp: (text) =>
    /^\d{4}-\d\d-\d\d$/.test(text)
      ? `write  timestamp("${text}T00:00:00Z")`
      : 'write date, time and zone, as  timestamp("2026-12-24T00:00:00+01:00")',
  ...Object.fromEntries(
    ["int", "double", "number", "decimal"].map((name) => [name, () => "write a number"]),
  ),
};

/**
 * Returns a fault for each call that always fails because of a constant: `duration("7d")`, a date without its time, an
 * unknown time zone.
 */
export function constantFaults(ast: ASTNode, environment: Environment): readonly ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  visit(ast, (node) => {
    const mistake = zoneMistake(node) ?? conversionMistake(node, environment);
    if (mistake === undefined) return;
    faults.push({ mistake, offset: node.start, length: Math.max(1, node.end - node.start) });
  });
  return faults;
}

function zoneMistake(node: ASTNode): Mistake | undefined {
  if (node.op !== "rcall" || !/^get[A-Z]/.test(node.args[0])) return undefined;
  const zone = textIn(node.args[2]);
  return zone === undefined || zoneFormat(zone) ? undefined : noZone(zone);
}

function conversionMistake(node: ASTNode, environment: Environment): Mistake | undefined {
  if (node.op !== "call" || !Object.hasOwn(CONVERSIONS, node.args[0])) return undefined;
  const text = textIn(node.args[1]);
  if (text === undefined) return undefined;
  const message = `${node.args[0]} can't read ${JSON.stringify(text)}`;
  if (node.args[0] === "timestamp" && !hasRealDay(text)) {
    return { code: "invalid-value", message, help: "write a day that its month has" };
  }
  try {
    refillBudget();
    environment.parse(node.input.slice(node.start, node.end))({});
    return undefined;
  } catch {
    return { code: "invalid-value", message, help: CONVERSIONS[node.args[0]]?.(text) };
  }
}

/** Returns whether the month of a date has its day. CEL reads February 30 as March 2. */
function hasRealDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)T/.exec(text) ?? [];
  if (day === undefined) return true;
  return (
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  );
}

/** Returns the value of the only argument of a call, if it is a literal text. */
function textIn([argument, second]: readonly ASTNode[]): string | undefined {
  if (argument?.op !== "value" || second !== undefined) return undefined;
  return typeof argument.args === "string" ? argument.args : undefined;
}

/** CEL's durations have hours as their largest unit. */
function helpForDuration(text: string): string {
  const minutes = (spokenDurationMs(text) ?? Number.NaN) / 60_000;
  if (!Number.isInteger(minutes)) return 'write hours, minutes and seconds, as  duration("1h30m")';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `write  duration("${hours > 0 ? `${hours}h` : ""}${rest > 0 ? `${rest}m` : ""}")`;
}
