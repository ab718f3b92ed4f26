/**
 * What somebody can write, as it stands in a file: the keys of one rule that answers messages, or a whole rule file where
 * it begins with `version:`. A map holds several files by their paths.
 */
export type Example = string | Readonly<Record<string, string>>;

/** A problem in more words than its message has. */
export interface Explanation {
  /** Why it is refused, or warned of. */
  readonly why: string;
  /** What has this problem, and no other. */
  readonly wrong: Example;
  /** The same, put right. */
  readonly right: Example;
}

/** Lines of an example, without the indentation that they share; a backslash stands for itself, but before `${`. */
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

/** A whole rule file: with the keys of one rule, one that has them. */
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
