import { asText } from "../../../text/as-text.ts";
import type { Mistake } from "../../../config/problem.ts";
import { EVENT_KIND_NAMES } from "../../../events/kinds/kinds.ts";
import { NEW_LANGUAGE_CODES } from "../../../protocol/search-query/operators.ts";
import { isHandleField } from "../../schema/fields.ts";
import { handleOf } from "../../../text/handle.ts";
import { ownMember } from "../../../system/own-member.ts";

/** Operator of a condition, with its operands as written. */
interface AskedOperator {
  readonly operator: string;
  readonly written: readonly (string | number | boolean)[];
}

/** Operators that compare whole values. */
const WHOLE: ReadonlySet<string> = new Set(["equals", "in"]);
const OF_MEMBERS: ReadonlySet<string> = new Set(["contains", "contains_any", "contains_all"]);

/** Returns a warning for each operand that the field can never match. */
export function neverHolds(
  field: string,
  isList: boolean,
  { operator, written }: AskedOperator,
): readonly (Mistake & { readonly text: string })[] {
  return written.flatMap((value) => {
    const why =
      WHOLE.has(operator) || (isList && OF_MEMBERS.has(operator))
        ? (languageMistake(field, value, written) ?? valueMistake(field, value))
        : partMistake(field, operator, value);
    if (why === undefined) return [];
    const [message, help] = why;
    return [{ code: "never-holds", severity: "warning", message, help, text: asText(value) }];
  });
}

type Why = readonly [message: string, help: string];

/** Returns why a field never has this value. */
function valueMistake(field: string, value: string | number | boolean): Why | undefined {
  const text = asText(value);
  if (isHandleField(field) && !/^\w{1,20}$/.test(handleOf(text))) {
    return [
      `${field} holds handles: letters of ASCII, digits and _, as  ann_shop`,
      "write the handle; the display name is in sender.name",
    ];
  }
  if (/(?:^|\.)(?:id|\w+_id)$/.test(field) && !/^conversation|conversation_id$/.test(field)) {
    if (/^\d+$/.test(text)) return undefined;
    return [`${field} is a number such as "1001"`, "for a handle use  sender.username"];
  }
  const sign = /(?:^|\.)hashtags$/.test(field) ? "#" : /(?:^|\.)cashtags$/.test(field) ? "$" : "";
  if (sign !== "" && text.normalize("NFKC").trim().startsWith(sign)) {
    return [`${field} has the words without ${sign}`, `write  ${text.trim().slice(1)}`];
  }
  if (/(?:^|\.)lang$/.test(field) && !/^[a-z]{2,3}(?:-[a-z0-9]+)*$/i.test(text)) {
    return [`${field} is a code such as "en"`, `write the code of the language, as  ${field}: en`];
  }
  const possibleValues = ownMember(KNOWN_VALUES, field);
  if (possibleValues !== undefined && !possibleValues.includes(text.toLowerCase())) {
    return [`${field} is never "${text}"`, `it is one of: ${possibleValues.join(", ")}`];
  }
  return isCount(field) && typeof value === "number" && value < 0 ? belowZero(field) : undefined;
}

/** Returns why a field never has the new code of a language: posts have the old one. */
function languageMistake(
  field: string,
  value: string | number | boolean,
  written: AskedOperator["written"],
): Why | undefined {
  const [old] = [...NEW_LANGUAGE_CODES].find(([, code]) => code === value) ?? [];
  if (old === undefined || !/(?:^|\.)lang$/.test(field) || written.includes(old)) return undefined;
  return [`${field} is "${old}" for this language`, `write  ${field}: { in: [${old}, ${value}] }`];
}

const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  "event.direction": ["inbound", "outbound"],
  "event.kind": EVENT_KIND_NAMES,
};

/** Returns why a condition never holds because of a part of its value or a range: `@` in a pattern, a count below 0. */
function partMistake(
  field: string,
  operator: string,
  value: string | number | boolean,
): Why | undefined {
  if (isHandleField(field) && operator === "matches" && /[@\uff20]/.test(asText(value))) {
    return [`${field} holds handles without @`, "leave @ out of the pattern"];
  }
  if (!isCount(field) || typeof value !== "number") return undefined;
  const isBelow = (operator === "lt" && value <= 0) || (operator === "lte" && value < 0);
  return isBelow ? belowZero(field) : undefined;
}

function isCount(field: string): boolean {
  return field.endsWith("_count");
}

function belowZero(field: string): Why {
  return [`${field} is never below 0`, `for none write  ${field}: 0`];
}

/** Returns the warning about operators of one condition that no number can satisfy together. */
export function emptyRange(
  field: string,
  writtenOperators: readonly AskedOperator[],
): Mistake | undefined {
  const limit = (...names: string[]): readonly number[] =>
    writtenOperators
      .filter(({ operator }) => names.includes(operator))
      .flatMap(({ written }) => written.filter((one) => typeof one === "number"));
  const low = Math.max(...limit("gt", "gte", "equals"));
  const high = Math.min(...limit("lt", "lte", "equals"));
  const isOpen = limit("gt").includes(low) || limit("lt").includes(high);
  if (low < high || (low === high && !isOpen)) return undefined;
  return {
    code: "never-holds",
    severity: "warning",
    message: `no number is both above ${low} and below ${high}`,
    help: `for one of the two write  any: [{ ${field}: { gt: ${low} } }, { ${field}: { lt: ${high} } }]`,
  };
}

/** Field of a condition, and the values of which one must be equal to the field. */
export interface WantedValues {
  readonly field: string;
  readonly values: readonly (string | number | boolean)[];
}

/** Returns the warning about a condition that contradicts an earlier one, if an event must satisfy both conditions. */
export function contradiction(
  earlier: readonly WantedValues[],
  { field, values }: WantedValues,
): Mistake | undefined {
  const other = earlier.find(
    (one) => one.field === field && !one.values.some((value) => values.includes(value)),
  );
  if (other === undefined) return undefined;
  const all = [...other.values, ...values].map((value) => JSON.stringify(value)).join(", ");
  return {
    code: "never-holds",
    severity: "warning",
    message: `all conditions must hold, and ${field} is never two values at once`,
    help: `for one of them write a single condition:  ${field}: { in: [${all}] }`,
  };
}
