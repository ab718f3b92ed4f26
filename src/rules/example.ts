/**
 * Example of rule file text: the keys of one rule that answers messages, or a whole rule file that begins with
 * `version:`. Several files are a map from path to text.
 */
export type Example = string | Readonly<Record<string, string>>;

/** Long explanation of a problem. */
export interface Explanation {
  /** Reason for the error or warning. */
  readonly why: string;
  /** Example with this problem and no other. */
  readonly wrong: Example;
  /** The same example, corrected. */
  readonly right: Example;
}

/**
 * Template tag for examples. Removes the shared indentation. A backslash is literal, except before `${` and a backtick.
 */
export function example({ raw }: TemplateStringsArray, ...values: readonly string[]): string {
  const text = raw
    .map(
      (part, index) => part.replaceAll("\\${", "${").replaceAll("\\`", "`") + (values[index] ?? ""),
    )
    .join("");
  const lines = text.replace(/^\n/, "").trimEnd().split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/[^ ]/));
  const shared = Math.min(...indents);
  return lines.map((line) => `${line.slice(shared)}\n`).join("");
}

/** Completes an example: wraps the keys of one rule in a rule file, and returns a whole rule file unchanged. */
export function asRuleFile(text: string): string {
  if (/^version:/m.test(text)) return text;
  const has = (key: string): boolean => new RegExp(`^${key}:`, "m").test(text);
  return [
    "version: 1",
    "rules:",
    "  - id: example",
    ...(has("triggers") ? [] : ["    triggers: [dm.received]"]),
    ...text
      .trimEnd()
      .split("\n")
      .map((line) => (line === "" ? "" : `    ${line}`)),
    ...(has("actions") ? [] : ["    actions: [{ reply_dm: hi }]"]),
    "",
  ].join("\n");
}
