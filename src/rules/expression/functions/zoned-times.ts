import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { type LocalTime, localTime, zoneFormat } from "../../../hours/local-time.ts";
import { type ChangedSource, withInsertions } from "../insertions.ts";
import { visit } from "../syntax-tree.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Parts of a local time, by the names of CEL's functions. CEL counts months and days from 0, except for `getDate`. */
const PARTS: Readonly<Record<string, (time: LocalTime) => number>> = {
  getFullYear: ({ date }) => Number(date.slice(0, 4)),
  getMonth: ({ date }) => Number(date.slice(5, 7)) - 1,
  getDate: ({ date }) => Number(date.slice(8)),
  getDayOfMonth: ({ date }) => Number(date.slice(8)) - 1,
  getDayOfWeek: ({ weekday }) => (weekday + 1) % 7,
  getDayOfYear: ({ date }) => (Date.parse(date) - Date.parse(`${date.slice(0, 4)}-01-01`)) / DAY_MS,
  getHours: ({ minute }) => minute / 60,
  getMinutes: ({ minute }) => minute % 60,
  getSeconds: ({ minute }) => Math.round((minute % 1) * 60),
};

/** Suffix of the functions that replace those of the CEL library, whose names can't be registered again. */
const SUFFIX = "In";

/** Registers functions for the parts of a time in a zone. */
export function registerZonedTimes(environment: Environment): void {
  for (const [name, part] of Object.entries(PARTS)) {
    const call = (at: Date, zone: string): bigint => {
      if (zoneFormat(zone) === undefined) throw new Error(`there is no time zone "${zone}"`);
      return BigInt(Math.floor(part(localTime(at.getTime(), zone))));
    };
    const method = `google.protobuf.Timestamp.${name}${SUFFIX}`;
    environment.registerFunction(`${method}(string): int`, call);
    if (name !== "getDayOfYear") continue;
    environment.registerFunction(`${method}(): int`, (at: Date) => call(at, "UTC"));
  }
}

/**
 * Replaces `time.getHours("Europe/Berlin")` and similar calls. The functions of the CEL library compute with the time zone
 * of the machine: where clocks change, they are wrong by an hour, or by a day.
 *
 * @returns `undefined` if nothing has to be changed.
 */
export function withZonedTimes(source: string, ast: ASTNode): ChangedSource | undefined {
  if (!/\bget[A-Z]/.test(source)) return undefined;
  const insertions: { at: number; text: string }[] = [];
  visit(ast, (node) => {
    if (node.op !== "rcall" || !Object.hasOwn(PARTS, node.args[0])) return;
    const [name, of, [zone]] = node.args;
    const isZone = zone !== undefined && (zone.op !== "value" || typeof zone.args === "string");
    if (!isZone && (zone !== undefined || name !== "getDayOfYear")) return;
    insertions.push({ at: source.indexOf(name, of.end) + name.length, text: SUFFIX });
  });
  return insertions.length === 0 ? undefined : withInsertions(source, insertions);
}
