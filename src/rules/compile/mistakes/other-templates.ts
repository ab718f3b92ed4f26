import { valueAt } from "../../../config/check-value.ts";
import type { Part, Path, YamlDocument } from "../../../config/yaml-document.ts";
import type { Mistake } from "../../../config/problem.ts";

/** Reports expressions in the marks of other tools: they would be sent as they stand. */
export function reportOtherTemplates(context: Reporting, path: Path): void {
  const value = valueAt(context.document.value, path);
  if (typeof value === "string") {
    const found = OTHER.exec(value);
    if (!found) return;
    const inner = found[0].replaceAll(/^[${\s]+|[}\s]+$/g, "");
    const message = `"${found[0]}" is no expression here: it would be sent as it stands`;
    const help = `write \${{ ${inner} }}`;
    const mistake = { code: "other-template", severity: "warning", message, help } as const;
    const part = { text: value, offset: found.index, length: found[0].length };
    context.report(path, mistake, part);
  } else if (Array.isArray(value)) {
    for (const index of value.keys()) reportOtherTemplates(context, [...path, index]);
  } else if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) reportOtherTemplates(context, [...path, key]);
  }
}

interface Reporting {
  readonly document: YamlDocument;
  report(path: Path, mistake: Mistake, part?: Part): undefined;
}

/** `{{ name }}` and `${name}`, and neither in `${{ name }}`. */
const OTHER = /(?<!\$)\{\{\s*[\w.]+[^{}]*\}\}|\$\{(?!\{)\s*[A-Za-z_][\w.]*\s*\}/;
