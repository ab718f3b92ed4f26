import type { Environment } from "@marcbachmann/cel-js";
import { valueAt } from "../../config/check-value.ts";
import type { Path } from "../../config/yaml-document.ts";
import { branch } from "../steps/branch.ts";
import type { CompileContext } from "./compile-context.ts";

/** The labels of the steps that have an id, at any depth. An id that stands twice is a mistake. */
export function stepIdsAt(context: CompileContext, rulePath: Path): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const collect = (path: Path): void => {
    const list = valueAt(context.document.value, path);
    if (!Array.isArray(list)) return;
    for (const [index, step] of list.entries()) {
      const at = [...path, index];
      const id = valueAt(step, ["id"]);
      if (typeof id === "string" && found.has(id)) {
        context.report([...at, "id"], {
          code: "duplicate-id",
          message: `the step id "${id}" stands twice`,
        });
      } else if (typeof id === "string") {
        found.set(id, context.label(at));
      }
      for (const block of BLOCK_KEYS) collect([...at, block]);
    }
  };
  collect([...rulePath, "actions"]);
  collect([...rulePath, "on_error"]);
  return found;
}

/** Keys of a step under which steps stand. */
const BLOCK_KEYS = [...Object.keys(branch.shape).filter((key) => key !== "if"), "on_error"];

/** An environment that also knows `steps.<id>`, `secrets` and `error`. */
export function declareSteps(environment: Environment, ids: readonly string[]): Environment {
  const step = { ok: "bool", result: "dyn", error: "string" };
  return environment
    .clone()
    .registerType("step_fields", { fields: step })
    .registerType("steps_fields", {
      fields: Object.fromEntries(ids.map((id) => [id, "step_fields"])),
    })
    .registerVariable("steps", "steps_fields")
    .registerType("error_fields", { fields: { code: "string", message: "string", step: "string" } })
    .registerVariable("error", "error_fields")
    .registerVariable("secrets", "map<string, string>");
}
