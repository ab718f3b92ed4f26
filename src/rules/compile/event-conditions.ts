import type { Path } from "../../config/yaml-document.ts";
import type { Trigger } from "../../events/triggers.ts";
import type { CompiledCondition } from "../evaluation/evaluation.ts";
import type { EventConditions } from "../steps/step-kind.ts";
import { compileConditions, compileField } from "./condition.ts";
import type { CompileContext } from "./compile-context.ts";
import { scopeOf } from "../expression/scope.ts";

/** Compiles what a step asks of an event that comes: it has other fields than the one that started the rule. */
export function eventConditions(context: CompileContext, trigger: Trigger): EventConditions {
  const own = context.within(scopeOf([trigger]));
  return {
    conditions: (path: Path): readonly CompiledCondition[] => compileConditions(own, path),
    field: (name: string, path: Path): CompiledCondition | undefined =>
      compileField(own, name, path),
  };
}
