import { ApiError } from "../kernel/http/api-error.ts";

/** Tests whether a body fulfils a condition. */
export type BodyTest = (body: string) => boolean;

type Step = string | number | typeof ANY;

const ANY = Symbol("any");
const STEP = /(\.?)([A-Za-z_][\w-]*|\*)|\[(\d+|\*)\]/y;
const EXAMPLE = "direct_message_events[0].message_create.sender_id = 123";

/**
 * Parses a condition on a JSON body: a path alone, or with `= value` or `!= value`, as in `*.favorited_status.id = 1`.
 *
 * A name also applies to the elements of an array; `*` is any member. Values are compared as texts.
 *
 * @throws {ApiError} 400 with the position of the fault.
 */
export function readWhere(text: string): BodyTest {
  const [, path = "", sign, literal = ""] = /^([^=!]*)(!?=)?(.*)$/s.exec(text) ?? [];
  const steps = readSteps(path.trimEnd());
  const wanted = literal.trim().replace(/^"(.*)"$/s, "$1");
  if (sign !== undefined && literal.trim() === "") throw wrong(`write a value after ${sign}`);
  if (sign === undefined && literal !== "") throw wrong(`write = or != before ${literal}`);
  return (body) => {
    const pathValues = valuesAt(steps, parsed(body));
    const isThere = pathValues.length > 0;
    if (sign === undefined) return isThere;
    const equals = pathValues.some(
      (value) => (value === null || typeof value !== "object") && String(value) === wanted,
    );
    return sign === "=" ? equals : isThere && !equals;
  };
}

function readSteps(path: string): readonly Step[] {
  const steps: Step[] = [];
  let at = /^\s*(?:\$\.?)?/.exec(path)?.[0].length ?? 0;
  if (path.trim() === "") throw wrong("write a path");
  while (at < path.length) {
    STEP.lastIndex = at;
    const [whole, dot, name, index] = STEP.exec(path) ?? [];
    const isFirst = steps.length === 0;
    const isJoined = index !== undefined ? !isFirst : isFirst === (dot === "");
    if (whole === undefined || !isJoined) {
      throw wrong(`"${path.slice(at)}" at ${at + 1} is no step: write .name, [0], [*] or .*`);
    }
    if (name === "*" || index === "*") steps.push(ANY);
    else steps.push(name ?? Number(index));
    at += whole.length;
  }
  return steps;
}

function wrong(what: string): ApiError {
  return ApiError.control(400, "invalid_request", `where: ${what}, as in ${EXAMPLE}`);
}

function valuesAt(steps: readonly Step[], root: unknown): readonly unknown[] {
  let currentValues: readonly unknown[] = root === undefined ? [] : [root];
  for (const step of steps) {
    currentValues = currentValues
      .flatMap((value) => membersOf(value, step))
      .filter((one) => one !== undefined);
  }
  return currentValues;
}

function membersOf(value: unknown, step: Step): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  if (step === ANY) return Object.values(value);
  if (typeof step === "number") return Array.isArray(value) ? [value[step]] : [];
  if (Array.isArray(value)) return value.flatMap((element) => membersOf(element, step));
  return Object.entries(value).flatMap(([name, member]) => (name === step ? [member] : []));
}

/** Parses a body so that ids written as numbers keep all their digits. */
function parsed(body: string): unknown {
  const json = body.replaceAll(
    /("(?:[^"\\]|\\.)*")|(-?\d{16,})/g,
    (whole, text?: string) => text ?? `"${whole}"`,
  );
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
