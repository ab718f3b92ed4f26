import type { Problem } from "../problem.ts";
import type { Path, YamlDocument } from "../yaml-document.ts";
import { shell } from "../../text/shell.ts";

/** `${{ env.NAME }}`, the only expression a settings file has. */
const EXPRESSION = /\$\{\{(.*?)\}\}/g;

/** Variables in the forms of shells, of other tools and of programs, which would be taken for the value itself. */
const OTHER_FORMS = [
  /\$\{\{\s*(?:\w+\.)*([A-Za-z_]\w*)/,
  /\{\{\s*(?:(?:env|secrets|vars|process\.env)\.)?([A-Za-z_]\w*)\s*\}\}/,
  /\$\{(?:env[:.])?([A-Za-z_]\w*)(?::?[-?][^}]*)?\}/,
  /^(?:\$(?:env:)?|process\.env\.|os\.environ\.)([A-Za-z_]\w*)$/,
  /^env\.([A-Z][A-Z\d_]*)$/,
  /^%([A-Za-z_]\w*)%$/,
  /^(?:process\.env|os\.environ|ENV)\[["']([A-Za-z_]\w*)["']\]$/,
];

/**
 * Replaces every `${{ env.NAME }}` in a document's value. Replacements are not expanded again.
 *
 * @param ignored Paths of settings, such as `app.bearer_token`, that a flag or variable overrides. Their texts are not
 *   replaced.
 * @param envFile File to name in the help for a missing variable; undefined if no file is read.
 */
export function substituteEnvironment(
  document: YamlDocument,
  environment: Readonly<Record<string, string | undefined>>,
  ignored: ReadonlySet<string>,
  envFile?: string,
): { readonly value: unknown; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const replaceIn = (value: unknown, path: Path): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => replaceIn(item, [...path, index]));
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value);
      return Object.fromEntries(entries.map(([key, one]) => [key, replaceIn(one, [...path, key])]));
    }
    if (typeof value !== "string" || ignored.has(path.join("."))) return value;
    const other = path[0] === "opt_out" ? undefined : otherForm(value.replaceAll(EXPRESSION, ""));
    if (other !== undefined) {
      const { text, name } = other;
      const message = `${text} is not replaced by the value of a variable`;
      const help = `write ${expressionOf(path, name)}`;
      problems.push(document.problemAt(path, { code: "env-expression", message, help }, { text }));
      return "";
    }
    return value.replaceAll(EXPRESSION, (whole: string, inner: string) => {
      const name = /^\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*$/.exec(inner)?.[1];
      const isName = name !== undefined && path[0] === "secrets";
      const variableValue = name === undefined || isName ? undefined : environment[name];
      if (variableValue !== undefined && variableValue !== "") return variableValue;
      const mistake =
        name === undefined || isName
          ? {
              code: "env-expression",
              message: `${whole} is not supported ${isName ? "in this list" : "in settings"}`,
              help: isName
                ? `write ${name}: the list has the names of variables`
                : `write ${expressionOf(path, nameIn(inner))}: settings can read only the environment`,
            }
          : {
              code: "env-missing",
              message: `the environment has no ${name}`,
              help: `${envFile === undefined ? "" : `write  ${name}=…  into ${envFile}, or `}set it before the start: ${shell`export ${name}`}=…`,
            };
      problems.push(document.problemAt(path, mistake, { text: whole }));
      return "";
    });
  };
  return { value: replaceIn(document.value, []), problems };
}

/** Returns the first variable in a form of shells or other tools. */
function otherForm(value: string): { readonly text: string; readonly name: string } | undefined {
  for (const form of OTHER_FORMS) {
    const [text, name] = form.exec(value) ?? [];
    if (text !== undefined && name !== undefined) return { text: text.trimEnd(), name };
  }
  return undefined;
}

/** Returns the name of a variable in an expression of another kind, such as `secrets.TOKEN`. */
function nameIn(expression: string): string {
  return (
    /^\s*(?:(?:secrets|vars|process\.env)\.)?([A-Z][A-Z\d_]*)\s*$/.exec(expression)?.[1] ?? "NAME"
  );
}

/** Returns the expression for a variable; in the list of secrets, which has names, the name alone. */
function expressionOf([first]: Path, name: string): string {
  return first === "secrets" ? name : `\${{ env.${name} }}`;
}

/** Names of the environment variables that a settings file uses as `${{ env.NAME }}`. */
export function variablesIn({ value }: YamlDocument): readonly string[] {
  const names = JSON.stringify(value ?? null).matchAll(
    /\$\{\{\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g,
  );
  return [...new Set([...names].flatMap(([, name]) => name ?? []))];
}
