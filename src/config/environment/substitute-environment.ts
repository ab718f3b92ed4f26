import type { Problem } from "../problem.ts";
import type { Path, YamlDocument } from "../yaml-document.ts";
import { shell } from "../../text/shell.ts";

/** `${{ env.NAME }}`, the only expression a settings file has. */
const EXPRESSION = /\$\{\{(.*?)\}\}/g;

/**
 * Replaces every `${{ env.NAME }}` in a document's value. Replacements are not expanded again.
 *
 * @param ignored Paths of settings, such as `app.bearer_token`, that a flag or variable overrides. Their texts are not
 *   replaced.
 */
export function substituteEnvironment(
  document: YamlDocument,
  environment: Readonly<Record<string, string | undefined>>,
  ignored: ReadonlySet<string>,
): { readonly value: unknown; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const replaceIn = (value: unknown, path: Path): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => replaceIn(item, [...path, index]));
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value);
      return Object.fromEntries(entries.map(([key, one]) => [key, replaceIn(one, [...path, key])]));
    }
    if (typeof value !== "string" || ignored.has(path.join("."))) return value;
    return value.replaceAll(EXPRESSION, (whole: string, inner: string) => {
      const name = /^\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*$/.exec(inner)?.[1];
      const variableValue = name === undefined ? undefined : environment[name];
      if (variableValue !== undefined && variableValue !== "") return variableValue;
      const mistake =
        name === undefined
          ? {
              code: "env-expression",
              message: `${whole} is not supported in settings`,
              help: "write ${{ env.NAME }}: settings can read only the environment",
            }
          : {
              code: "env-missing",
              message: `the environment has no ${name}`,
              help: `write  ${name}=…  into a .env beside the settings, or set it before the start: ${shell`export ${name}`}=…`,
            };
      problems.push(document.problemAt(path, mistake, { text: whole }));
      return "";
    });
  };
  return { value: replaceIn(document.value, []), problems };
}

/** Names of the environment variables that a settings file uses as `${{ env.NAME }}`. */
export function variablesIn({ value }: YamlDocument): readonly string[] {
  const names = JSON.stringify(value ?? null).matchAll(
    /\$\{\{\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g,
  );
  return [...new Set([...names].flatMap(([, name]) => name ?? []))];
}
