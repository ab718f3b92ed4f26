import type { Environment } from "@marcbachmann/cel-js";
import type { Path } from "../../config/yaml-document.ts";
import type { CompileContext } from "./compile-context.ts";
import type { Expression } from "./expression.ts";

/** Compiles the variables at `path`, each seeing those above it, and declares them as `vars`. */
export function compileVariables(
  context: CompileContext,
  path: Path,
  variables: Readonly<Record<string, unknown>>,
): {
  readonly variables: { readonly name: string; readonly expression: Expression }[];
  readonly environment: Environment;
} {
  const compiled: { name: string; expression: Expression }[] = [];
  const types: Record<string, string> = {};
  let environment = declare(context.scope.environment, types);
  for (const name of Object.keys(variables)) {
    const expression = context.declaring(environment).expression([...path, name]);
    if (!expression) continue;
    compiled.push({ name, expression });
    types[name] = expression.type;
    environment = declare(context.scope.environment, types);
  }
  return { variables: compiled, environment };
}

function declare(environment: Environment, types: Readonly<Record<string, string>>): Environment {
  return environment
    .clone()
    .registerType("vars_fields", { fields: { ...types } })
    .registerVariable("vars", "vars_fields");
}
