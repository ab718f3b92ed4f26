import type { Path } from "../../../config/yaml-document.ts";
import type { AccountEvent } from "../../../events/event.ts";
import type { FieldValue } from "../../../events/fields.ts";
import type { CompiledCondition } from "../../evaluation/evaluation.ts";
import type { CompileContext } from "../compile-context.ts";

/** Key of a trigger that requires one of several values in a field of the event. The field may be a list. */
export interface AskedOfTrigger<Value extends string | number> {
  readonly key: string;
  /** Path of the field: `count.name`. */
  readonly field: string;
  readonly read: (event: AccountEvent) => Value | readonly string[] | undefined;
  /** Whether the field is a list, which must contain one of the values. */
  readonly isList?: true;
  readonly values: readonly Value[];
}

/** Compiles a key of the trigger at `path` into a condition. */
export function askedOfTrigger<Value extends string | number>(
  context: CompileContext,
  path: Path,
  { key, field, read, values, isList }: AskedOfTrigger<Value>,
): CompiledCondition {
  const where = `${context.label(path)}.${key}`;
  const test = (actual: FieldValue) =>
    values.some((value) => (Array.isArray(actual) ? actual.includes(value) : value === actual));
  const operator = isList ? "contains" : values.length === 1 ? "equals" : "in";
  const tests = [{ operator, cased: true, operands: values, test }];
  const type = isList ? "list of texts" : typeof values[0] === "number" ? "number" : "text";
  const wanted = `${field} ${operator} ${values.join(", ")}`;
  return {
    path: where,
    wanted,
    asks: { kind: "field", field, type, tests },
    test({ event }) {
      const actual = read(event);
      return test(actual) ? undefined : { path: where, wanted, actual };
    },
  };
}
