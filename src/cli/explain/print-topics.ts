import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type TopicFact,
  type Topic,
  TOPIC_KINDS,
  type TopicExample,
  type TopicKind,
} from "../../insight/reference/topic.ts";
import type { Key } from "../../insight/reference/written.ts";
import type { Example } from "../../rules/example.ts";
import type { JsonFlag } from "../arguments/settings-flags.ts";
import { wrap } from "../output/wrap.ts";
import type { Io } from "../io.ts";

/** Number of columns if the output is not a terminal. */
const USUAL_WIDTH = 100;
const NARROWEST = 40;

/** Pages of the reference in the package. */
const REFERENCE = new URL("../../../config/reference/", import.meta.url);

/** Headings of the kinds of topics in a list. */
const HEADINGS: Readonly<Record<TopicKind, string>> = {
  trigger: "Triggers",
  "rule key": "Keys of a rule",
  operator: "Operators of conditions",
  function: "Functions of expressions",
  step: "Steps",
  "step key": "Keys beside any step",
  setting: "Settings",
  problem: "Problems",
};

/** Lists the names of all topics, such as steps and settings, by kind. */
export function listTopics(io: Io, topics: readonly Topic[], { json }: JsonFlag): void {
  if (json === true) {
    for (const { kind, name, about } of topics)
      io.out(`${JSON.stringify({ kind, name, about })}\n`);
    return;
  }
  for (const kind of TOPIC_KINDS) {
    const names = topics.filter((one) => one.kind === kind).map(shortName);
    io.out(`${io.dataColors.bold(HEADINGS[kind])}\n`);
    io.out(`${filled([...new Set(names)].join("  "), widthOf(io), "  ")}\n\n`);
  }
  io.err("Explain one with: answerback explain NAME\n");
}

/** Name of a topic in the list; functions are listed without type and parameters. */
function shortName({ kind, name, aliases }: Topic): string {
  return kind === "function" ? (aliases[0] ?? name) : name;
}

/** Prints topics with all details: description, keys and examples. */
export function printTopics(io: Io, topics: readonly Topic[], { json }: JsonFlag): void {
  if (json === true) {
    for (const topic of topics) io.out(`${JSON.stringify(topic)}\n`);
    return;
  }
  io.out(topics.map((topic) => topicText(io, topic)).join("\n"));
  const reference = relative(io.cwd, fileURLToPath(REFERENCE));
  const pages = [...new Set(topics.map(({ section }) => `${reference}/${section}.md`))];
  io.err(`\n${io.colors.dim(`More: ${pages.join(", ")}`)}\n`);
}

function topicText(io: Io, topic: Topic): string {
  const { bold, dim } = io.dataColors;
  const width = widthOf(io);
  const lines = [`${bold(topic.name)} ${dim(`(${topic.kind})`)}`];
  lines.push(filled(plain(topic.about), width, "  "));
  if (topic.why !== undefined) lines.push("", filled(plain(topic.why), width, "  "));
  if (topic.facts.length > 0) lines.push("", ...factLines(topic, width));
  if (topic.keys.length > 0) {
    lines.push("", bold("  Keys"), ...topic.keys.flatMap((key) => keyLines(key, width)));
  }
  for (const [index, one] of topic.examples.entries()) {
    const before = filesOf(topic.examples[index - 1]?.example ?? {});
    lines.push("", bold(`  ${one.title}`), ...exampleLines(one, before, dim));
  }
  return `${lines.join("\n")}\n`;
}

function factLines({ facts, keys }: Topic, width: number): readonly string[] {
  const shown = keys.length === 0 ? facts : facts.map(withoutKeys);
  const labels = shown.map(({ label }) => plain(label));
  const column = Math.max(...labels.map(({ length }) => length)) + 2;
  return shown.map(({ value }, index) => {
    const [first = "", ...more] = filled(plain(value), width - column - 2, "").split("\n");
    const rest = more.map((line) => `\n${" ".repeat(column + 2)}${line}`);
    return `  ${(labels[index] ?? "").padEnd(column)}${first}${rest.join("")}`;
  });
}

/** Removes keys from the description of a map, because they are listed separately. */
function withoutKeys({ label, value }: TopicFact): TopicFact {
  return { label, value: value.replace(/map \(.*\)$/, "map") };
}

function keyLines(key: Key, width: number): readonly string[] {
  const { path, written, limits, byDefault, required, meaning } = key;
  const notes = [
    limits === "" ? written : `${written}, ${limits}`,
    ...(required ? ["required"] : []),
    ...(byDefault === "" ? [] : [`default ${byDefault}`]),
  ];
  return [
    filled(plain(`${path}: ${notes.join("; ")}`), width, "    "),
    ...(meaning === "" ? [] : [filled(plain(meaning), width, "        ")]),
  ];
}

/** Lines of an example. Files that the previous example has with the same text are omitted. */
function exampleLines(
  { example, inSettings }: TopicExample,
  before: Readonly<Record<string, string>>,
  dim: (text: string) => string,
): readonly string[] {
  return Object.entries(filesOf(example))
    .filter(([file, text]) => text !== before[file])
    .flatMap(([file, text]) => [
      ...(file === "" ? [] : [dim(`    # ${file}`)]),
      ...(inSettings === true ? [dim("    # config/answerback.yaml")] : []),
      ...visible(text)
        .trimEnd()
        .split("\n")
        .map((line) => (line === "" ? "" : `    ${line}`)),
    ]);
}

function filesOf(example: Example): Readonly<Record<string, string>> {
  return typeof example === "string" ? { "": example } : example;
}

/** Replaces characters that a terminal would not show; one example is about tabs. */
function visible(text: string): string {
  return text.replaceAll("\t", "→").replaceAll(/(?!\n)\p{Cc}/gu, "·");
}

/** Removes the backticks around words of the rule language. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}

function widthOf({ width }: Io): number {
  return Math.max(NARROWEST, Math.min(width ?? USUAL_WIDTH, USUAL_WIDTH));
}

/** Wraps `text` to `width` columns, including the `indent` of each line. */
function filled(text: string, width: number, indent: string): string {
  return wrap(text, width - indent.length)
    .map((line) => indent + line.trimEnd())
    .join("\n");
}
