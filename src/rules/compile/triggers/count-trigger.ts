import type { Path } from "../../../config/yaml-document.ts";
import type { AccountEvent } from "../../../events/event.ts";
import type { Trigger } from "../../../events/triggers.ts";
import type { CompiledCondition } from "../../evaluation/evaluation.ts";
import type { CompileContext } from "../compile-context.ts";
import { askedOfTrigger } from "./asked-of-trigger.ts";

/** Compiles the keys of the trigger count.reached: the name of the count, and the number to reach. */
export function compileReached(
  context: CompileContext,
  path: Path,
  trigger: Trigger,
  { of, at }: { readonly of?: string | undefined; readonly at?: number | string | undefined },
): readonly CompiledCondition[] {
  if (trigger !== "count.reached") {
    const isStray = at !== undefined && trigger !== "schedule";
    const stray = of !== undefined ? "of" : isStray ? "at" : undefined;
    if (stray === undefined) return [];
    const message = `"${stray}" is only for count.reached, not for ${trigger}`;
    context.report([...path, stray], { code: "unknown-key", message }, "key");
    return [];
  }
  if (of === undefined || at === undefined) {
    const missing = of === undefined ? "of" : "at";
    const message = `count.reached needs ${missing === "of" ? "the name of a count" : "a number"}: "${missing}" is missing`;
    const help = "write  {trigger: count.reached, of: NAME, at: 3}";
    context.report(path, { code: "missing-key", message, help });
    return [];
  }
  if (typeof at === "string") {
    const message = `"at" of count.reached is a number, and this is "${at}"`;
    const help = "write the number that the count comes to:  at: 3";
    context.report([...path, "at"], { code: "wrong-type", message, help });
    return [];
  }
  const name = { key: "of", field: "count.name", read: nameOf, values: [of] };
  const value = { key: "at", field: "count.value", read: valueOf, values: [at] };
  return [askedOfTrigger(context, path, name), askedOfTrigger(context, path, value)];
}

const nameOf = (event: AccountEvent) => countOf(event)?.name;
const valueOf = (event: AccountEvent) => countOf(event)?.value;

function countOf(event: AccountEvent) {
  return event.kind === "count" ? event.count : undefined;
}
