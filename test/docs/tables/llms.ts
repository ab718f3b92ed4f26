import { readFile } from "node:fs/promises";
import { readPages } from "../../../src/docs/read-docs.ts";
import { jsonSchema, type Key, keysOf } from "../../../src/insight/reference/written.ts";
import {
  functionTopics,
  operatorTopics,
  STEP_KEYS,
} from "../../../src/insight/reference/language.ts";
import { problemTopics } from "../../../src/insight/reference/problems.ts";
import type { Topic } from "../../../src/insight/reference/topic.ts";
import {
  fieldGroups,
  onlyOutbound,
  KINDS_WITH_TRIGGER,
  triggerTopics,
} from "../../../src/insight/reference/triggers.ts";
import { ruleMap, triggerMap } from "../../../src/rules/file-schema/rule-file.ts";
import { HABITS } from "../llms/habits.ts";
import { overview } from "./overview.ts";
import { factOf, keyLine, lineWith, verbs } from "./rules.ts";

/**
 * Problems that are most frequent in first attempts, see `test/first-attempts/corpus`, and problems whose reason
 * readers can't guess.
 */
export const FREQUENT_PROBLEMS: readonly string[] = [
  "unknown-key",
  "wrong-type",
  "unknown-field",
  "other-template",
  "expression-in-text",
  "expression-as-text",
  "expr-syntax",
  "pattern-elsewhere",
  "exact-comparison",
  "operand-types",
  "may-be-absent",
  "expr-no-matches",
  "key-inside-verb",
  "action-not-on-trigger",
  "fallback-alone",
];

/** Returns `config/llms-full.txt`: the hand-written page, with tables generated from the code at their places. */
export async function llmsFull(): Promise<string> {
  const page = await readFile(new URL("../llms/llms-full.txt", import.meta.url), "utf8");
  const parts: Readonly<Record<string, string>> = {
    triggers: triggers(),
    "trigger-keys": keyLines(keysOf(jsonSchema(triggerMap))),
    fields: fields(),
    operators: operatorTopics().map(operatorLine).join("\n"),
    functions: functionTopics().map(functionLine).join("\n"),
    "rule-keys": keyLines(keysOf(jsonSchema(ruleMap))),
    "step-keys": keyLines(STEP_KEYS),
    steps: steps(),
    habits: habits(),
    problems: problems(),
    commands: (await overview())
      .split("\n")
      .filter((line) => !/^Options:|^ {2}-/.test(line))
      .join("\n"),
  };
  return page.replaceAll(/\{\{([a-z-]+)\}\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`there is no part ${name}`);
    return part;
  });
}

function keyLines(keys: readonly Key[]): string {
  return keys.map(keyLine).join("\n");
}

function triggers(): string {
  return triggerTopics()
    .map(({ name, about, facts }) => {
      const age = facts.find(({ label }) => label.startsWith("`max_age`"))?.value;
      const outbound = facts.some(({ value }) => value === onlyOutbound);
      const groups = facts.flatMap(({ label, value }) => {
        const [, of] = /^Fields of `([^.`]+)`$/.exec(label) ?? [];
        if (label === "Field") return value.split(", ");
        return of === undefined || of === "event" || of === "account" ? [] : [`\`${of}\``];
      });
      const notes = [
        ...(groups.length === 0 ? [] : [`has ${groups.join(", ")}`]),
        `\`max_age\` ${age}`,
        ...(outbound ? [onlyOutbound] : []),
      ];
      return `- \`${name}\`: ${about} (${notes.join("; ")})`;
    })
    .join("\n");
}

/** Fields by their parent. A quoted or reposted post has the fields of a post, which are not repeated. */
function fields(): string {
  const groups = new Map<string, Set<string>>();
  for (const kind of KINDS_WITH_TRIGGER) {
    for (const { of, fields } of fieldGroups(kind)) {
      const name = isOfOtherPost(of) ? of : of.replace("post.author", "sender");
      groups.set(name, new Set([...(groups.get(name) ?? []), ...fields]));
    }
  }
  const lines = [...groups].filter(([of]) => !isOfOtherPost(of) && of !== "target");
  return [
    ...lines.map(([of, names]) =>
      of === "" ? `- ${[...names].join(", ")}` : `- \`${of}.\`: ${[...names].join(", ")}`,
    ),
    "- `post.author.`, `post.quoted.author.`, `post.reposted.author.`, `target.`: the fields of `sender.`, without `labels` and `is_new`",
    "- `post.quoted.`, `post.reposted.`: the fields of `post.`; each may be absent",
  ].join("\n");
}

function isOfOtherPost(of: string): boolean {
  return /^post\.(quoted|reposted)/.test(of);
}

function operatorLine(topic: Topic): string {
  const types = factOf(topic, "For fields of type");
  return `- \`${topic.name}\` (${types}): ${topic.about} \`${lineWith(topic, `${topic.name}:`)}\``;
}

function functionLine(topic: Topic): string {
  return `- \`${topic.name}\`: ${topic.about} \`${lineWith(topic, `${topic.aliases[0]}(`)}\``;
}

/** Renders each step with its keys and example. Keys that an earlier step explains are only named. */
function steps(): string {
  const explainedKeys = new Set<string>();
  return verbs()
    .map((topic) => {
      const { name, about, keys, examples } = topic;
      const lines = keys.map((key) => ({ key, line: keyLine(key) }));
      const added = lines.filter(({ line }) => !explainedKeys.has(line));
      const repeated = lines.filter(({ line }) => explainedKeys.has(line));
      for (const { line } of added) explainedKeys.add(line);
      const [example] = examples.map((one) => one.example);
      const needs = factOf(topic, "Needs");
      const result = factOf(topic, "Its result has");
      const inResult = factOf(topic, "In result");
      return [
        `### ${name}`,
        [
          about,
          ...(needs === "" ? [] : [`Needs ${needs}.`]),
          ...(factOf(topic, "May stand alone") === "yes"
            ? [`Can be written without a value: \`- ${name}\`.`]
            : []),
          ...(result === "" ? [] : [`Its result has ${result}.`]),
          ...(inResult === "" ? [] : [`In \`steps.ID.result\`: ${inResult}.`]),
        ].join(" "),
        ...added.map(({ line }) => line),
        ...(repeated.length === 0
          ? []
          : [`- as above: ${repeated.map(({ key }) => `\`${key.path}\``).join(", ")}`]),
        `\`\`\`yaml\n${typeof example === "string" ? example : ""}\`\`\``,
      ].join("\n");
    })
    .join("\n\n");
}

function habits(): string {
  return HABITS.map(
    ({ wrong, right }) =>
      `- instead of ${wrong.map((form) => `\`${form}\``).join(", ")}: \`${right}\``,
  ).join("\n");
}

function problems(): string {
  const topics = new Map(problemTopics().map((topic) => [topic.name, topic]));
  return FREQUENT_PROBLEMS.map((code) => {
    const topic = topics.get(code);
    if (topic === undefined) throw new Error(`there is no problem ${code}`);
    const blocks = topic.examples.map(({ title, example }) =>
      typeof example === "string"
        ? `\`\`\`yaml ${title === "Wrong" ? "wrong" : "right"}\n${example}\`\`\``
        : "",
    );
    return [`### ${code}`, `${topic.about} ${topic.why ?? ""}`, ...blocks].join("\n");
  }).join("\n\n");
}

/** Chapters of `config/llms.txt`, each with the beginning of its pages' paths. */
const CHAPTERS: readonly (readonly [title: string, begin: string])[] = [
  ["Rules", "config/guide/rules/"],
  ["Operating", "config/guide/operating/"],
  ["TypeScript", "bots/guide/"],
  ["Reference", "config/reference/"],
  ["Optional", "examples/"],
];

/**
 * Returns `config/llms.txt`, which lists the pages in the form of llmstxt.org. Paths are relative to the folder
 * `config`.
 */
export async function llms(): Promise<string> {
  const pages = (await readPages()).filter(({ path }) => !path.includes("#"));
  const chapters = CHAPTERS.map(([title, begin]) => {
    const lines = pages
      .filter(({ path }) => path.startsWith(begin))
      .map(({ path, title: name, about }) => `- [${name}](${fromConfig(path)}): ${about}`);
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  return `# Answerback

> Answerback runs chat bots on X (formerly Twitter). You write rules in YAML and bots in TypeScript. Each answer is sent only once, and a sandbox simulates the platform on your machine.

The pages are in the package, so read them on disk. To write rules, you only need [llms-full.txt](llms-full.txt): it has the whole language, tests, commands and frequent mistakes. \`answerback docs WORDS\` searches the pages, and \`answerback explain NAME\` explains one name.

${chapters.join("\n\n")}
`;
}

function fromConfig(path: string): string {
  return path.startsWith("config/") ? path.slice("config/".length) : `../${path}`;
}
