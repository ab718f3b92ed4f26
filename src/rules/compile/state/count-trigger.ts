import type { Path } from "../../../config/yaml-document.ts";
import type { AccountEvent } from "../../../events/event.ts";
import type { FieldValue } from "../../../events/fields.ts";
import type { Trigger } from "../../../events/triggers.ts";
import type { CompiledCondition } from "../../decide/evaluation.ts";
import type { CompileContext } from "../compile-context.ts";

/** What the trigger count.reached asks: which count, and the number that it has come to. */
export function compileReached(
  context: CompileContext,
  path: Path,
  trigger: Trigger,
  { of, at }: { readonly of?: string | undefined; readonly at?: number | undefined },
): readonly CompiledCondition[] {
  if (trigger !== "count.reached") {
    const stray = of !== undefined ? "of" : at !== undefined ? "at" : undefined;
    if (stray === undefined) return [];
    const message = `"${stray}" means something to count.reached only, not to ${trigger}`;
    context.report([...path, stray], { code: "unknown-key", message }, "key");
    return [];
  }
  if (of === undefined || at === undefined) {
    const missing = of === undefined ? "of" : "at";
    const message = `count.reached does not say ${missing === "of" ? "which count" : "at which number"}: "${missing}" is missing`;
    const help = "write  {trigger: count.reached, of: NAME, at: 3}";
    context.report(path, { code: "missing-key", message, help });
    return [];
  }
  const asked = (
    key: string,
    wanted: string,
    read: (event: AccountEvent) => string | number | undefined,
    value: string | number,
  ): CompiledCondition => {
    const where = `${context.label(path)}.${key}`;
    const test = (actual: FieldValue) => actual === value;
    const tests = [{ operator: "equals", cased: true, operands: [value], test }];
    const type = typeof value === "number" ? "number" : "text";
    return {
      path: where,
      wanted,
      asks: { kind: "field", field: key === "of" ? "count.name" : "count.value", type, tests },
      test({ event }) {
        const actual = read(event);
        return actual === value ? undefined : { path: where, wanted, actual };
      },
    };
  };
  return [
    asked("of", `count.name equals ${of}`, (event) => countOf(event)?.name, of),
    asked("at", `count.value equals ${at}`, (event) => countOf(event)?.value, at),
  ];
}

function countOf(event: AccountEvent) {
  return event.kind === "count" ? event.count : undefined;
}
