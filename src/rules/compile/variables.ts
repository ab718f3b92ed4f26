import { asText } from "../../text/as-text.ts";
import type { Environment } from "@marcbachmann/cel-js";
import type { Path } from "../../config/yaml-document.ts";
import type { CompileContext } from "./compile-context.ts";
import { typeOfConstant } from "../expression/value-types/constant-type.ts";
import { evaluatedType } from "../expression/value-types/typed-form.ts";
import { MAX_VARIABLE } from "../expression/value-size.ts";
import { isTooLong } from "../steps/written/written-text.ts";
import { extended } from "../expression/extended.ts";
import type { TextTemplate } from "../expression/template.ts";
import type { Variable } from "../ruleset.ts";

/** Quotes around a text in JSON, which count towards its stored size. */
const QUOTES = 2;

/** Compiles the variables at `path` and declares them as `vars`. Each variable can read the variables above it. */
export function compileVariables(
  context: CompileContext,
  path: Path,
  variables: Readonly<Record<string, unknown>>,
): {
  readonly variables: readonly Variable[];
  readonly environment: Environment;
  /** CEL types of the variables, by name. */
  readonly types: Readonly<Record<string, string>>;
} {
  const compiled: Variable[] = [];
  const types: Record<string, string> = {};
  let environment = declareVariables(context.scope.environment, types);
  for (const [name, written] of Object.entries(variables)) {
    const at = [...path, name];
    const here = context.declaring(environment).knowing({ vars: types });
    const source = context.document.sourceAt(at) ?? asText(written);
    const limit = { what: "a variable", max: MAX_VARIABLE - QUOTES };
    isTooLong(context, at, source, limit);
    const value = here.value(at, source);
    if (!value) {
      // the mistake is reported here, and not at each use of the variable
      types[name] = "dyn";
      environment = declareVariables(context.scope.environment, types);
      continue;
    }
    const plain = value.expressions.length === 0;
    if (plain && here.readsField(source)) {
      context.report(at, {
        code: "expression-as-text",
        severity: "warning",
        message: "this is a text, not an expression",
        help: `to evaluate it, write  ${name}: \${{ ${source} }}`,
      });
    }
    const constant = plain ? plainConstant(written, source) : undefined;
    compiled.push({ name, value: constant === undefined ? value : constantly(value, constant) });
    types[name] = constant === undefined ? value.type : typeOfConstant(constant);
    environment = declareVariables(context.scope.environment, types);
  }
  return { variables: compiled, environment, types };
}

/**
 * Returns a constant number or boolean; undefined for a text, and for a value such as `007` or `1.10` that a number
 * would change.
 */
function plainConstant(written: unknown, source: string): number | boolean | undefined {
  const isPlain = typeof written === "number" || typeof written === "boolean";
  return isPlain && asText(written) === source.trim() ? written : undefined;
}

/** Returns the value of a variable, or its text if {@link plainConstant} would change it. */
export function asWritten(written: unknown, source: string | undefined): unknown {
  const isPlain = typeof written === "number" || typeof written === "boolean";
  return isPlain && source !== undefined ? (plainConstant(written, source) ?? source) : written;
}

/** Returns a template whose value is a constant. */
function constantly(template: TextTemplate, constant: number | boolean): TextTemplate {
  const { source, expressions, pieces, secrets } = template;
  const value = { ok: true as const, value: constant };
  return {
    source,
    expressions,
    pieces,
    secrets,
    type: typeOfConstant(constant),
    render: (view) => template.render(view),
    value: () => value,
    stored: () => value,
  };
}

/** Adds `vars`, with variables of these types, to an environment. */
export function declareVariables(
  environment: Environment,
  types: Readonly<Record<string, string>>,
): Environment {
  return extended(environment, `vars ${JSON.stringify(types)}`, (declared) =>
    declared
      .registerType("vars_fields", {
        fields: Object.fromEntries(
          Object.entries(types).map(([name, type]) => [name, evaluatedType(type)]),
        ),
      })
      .registerVariable("vars", "vars_fields"),
  );
}
