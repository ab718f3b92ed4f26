import type { Mistake } from "../../config/problem.ts";
import { LOOKED_UP, type LookedUpField } from "../../events/looked-up.ts";
import type { KnownTypes } from "./value-types/known-types.ts";

const RESULT = /^steps\.(\w[\w-]*)\.result$/;

/**
 * Returns the field at a path such as `steps.author.result.location`; `undefined` if the fields of the result are
 * unknown.
 */
export function resultField(
  path: string,
  lookedUp: KnownTypes["lookedUp"],
): LookedUpField | undefined {
  const dot = path.lastIndexOf(".");
  const object = lookedUp.get(RESULT.exec(path.slice(0, dot))?.[1] ?? "");
  return object && LOOKED_UP[object.of].get(path.slice(dot + 1));
}

/** Returns the mistake of reading a field of a step's result that the step does not request. */
export function fieldNotRequested(
  parent: string,
  name: string,
  lookedUp: KnownTypes["lookedUp"],
): Mistake | undefined {
  const [, step = ""] = RESULT.exec(parent) ?? [];
  const object = lookedUp.get(step);
  if (object === undefined || !LOOKED_UP[object.of].has(name)) return undefined;
  const message = `the step "${step}" does not request the field "${name}" of the ${object.of}`;
  const help = `add it there:  fields: [${[...object.fields, name].join(", ")}]`;
  return { code: "field-not-requested", message, help };
}
