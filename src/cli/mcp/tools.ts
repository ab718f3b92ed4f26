import * as z from "zod";
import type { Problem } from "../../config/problem.ts";
import { renderProblems } from "../../config/render-problems.ts";
import { counted } from "../../text/counted.ts";
import { jsonLines } from "./capture.ts";
import { messagesOf } from "./messages.ts";
import { filesOfProject, folderOfProject } from "./project-paths.ts";
import { ABOUT_STRANGERS } from "./strangers.ts";
import { defineTool, type UncheckedTool } from "./tool.ts";

const files = (about: string) => z.array(z.string().min(1)).max(100).default([]).describe(about);

const docs = defineTool({
  name: "docs",
  title: "Search the documentation",
  description:
    "Searches the guide, the reference and the examples. Returns titles and files; read a file to see the page. " +
    "The whole rule language on one page is the resource answerback://docs/llms-full.txt.",
  input: z.object({
    words: z.string().default("").describe("words of the task, such as: wait for an answer"),
  }),
  args: async ({ words }) => (words === "" ? [] : ["--", words]),
  settings: [],
  quotesStrangers: false,
  readOnly: true,
});

const explain = defineTool({
  name: "explain",
  title: "Explain a word or a problem",
  description:
    "Explains a trigger, step, operator, function, key, setting, or the code of a problem that check reports, with examples. " +
    "Without a name it lists what can be explained.",
  input: z.object({
    name: z
      .string()
      .default("")
      .describe("such as: contains_word, ask, dm.received, unknown-field"),
  }),
  args: async ({ name }) => (name === "" ? [] : ["--", name]),
  settings: [],
  quotesStrangers: false,
  readOnly: true,
});

const check = defineTool({
  name: "check",
  title: "Check settings and rules",
  description:
    "Checks the settings, rule files and bot modules of the project without starting the bot, and returns each problem with " +
    "its place and its correction. Run it after each change. `ok` is true without errors. It imports the project's modules.",
  input: z.object({
    files: files("rule files or settings to check; default: all files of the project"),
    strict: z.boolean().default(false).describe("whether warnings fail, too"),
  }),
  args: async (input, project) => [
    ...(input.strict ? ["--strict"] : []),
    "--",
    ...(await filesOfProject(project, input.files)),
  ],
  settings: ["config"],
  quotesStrangers: false,
  readOnly: true,
  summary: (output) => {
    const problems = jsonLines<Problem>(output.out);
    return problems.length > 0 ? renderProblems(problems) : messagesOf(output).join("\n");
  },
});

const test = defineTool({
  name: "test",
  title: "Run the tests of the rules",
  description:
    "Runs the tests of the rules (*.test.yaml) in virtual time. Nothing is sent to the platform, but " +
    "requests that bots and functions make by themselves, as by fetch, are sent. `ok` is true if all passed; each " +
    "failed test has a report of what was expected and what happened. It runs the project's bots.",
  input: z.object({
    files: files("files of tests; default: all beside the rules"),
    filter: z.string().optional().describe("only tests whose name or file contains this text"),
  }),
  args: async (input, project) => [
    ...(input.filter === undefined ? [] : ["--filter", input.filter]),
    "--",
    ...(await filesOfProject(project, input.files)),
  ],
  settings: ["config", "data"],
  quotesStrangers: false,
  readOnly: true,
  summary: ({ out }) => testSummary(out),
});

/** Rows of `answerback test --json`. */
type TestRow =
  | ({ readonly type: "problem" } & Problem)
  | { readonly type: "test"; readonly passed: boolean; readonly report?: string }
  | { readonly type: "coverage" };

function testSummary(out: string): string {
  const rows = jsonLines<TestRow>(out);
  const tests = rows.filter((row) => row.type === "test");
  const problems = rows.filter((row) => row.type === "problem");
  const failed = tests.filter(({ passed }) => !passed);
  return [
    ...(problems.length === 0 ? [] : [renderProblems(problems)]),
    ...failed.map(({ report = "" }) => report.trimEnd()),
    `${tests.length - failed.length} passed, ${failed.length} failed`,
  ].join("\n");
}

const why = defineTool({
  name: "why",
  title: "Explain what happened to an event",
  description: `Explains why rules ran or did not run for an event that the bot received, from its stored data. ${ABOUT_STRANGERS}`,
  input: z.object({
    event: z
      .string()
      .min(1)
      .default("last")
      .describe("number or key of the event; @HANDLE: the newest of a person; last: the newest"),
    rule: z.string().optional().describe("id of a rule to explain in full, with each clause"),
  }),
  args: async ({ event, rule }) => [...(rule === undefined ? [] : ["--rule", rule]), "--", event],
  settings: ["config", "data"],
  quotesStrangers: true,
  readOnly: true,
});

const FLAG_OF_KIND = { post: "--post", reply: "--reply", follow: "--follow" } as const;

const send = defineTool({
  name: "send",
  title: "Write to the bot on the sandbox",
  description: `Writes to the running bot as a person of the sandbox, and returns its answers, or the reason why there is none. It needs a running \`answerback dev\`, and is refused if the settings have target: live. ${ABOUT_STRANGERS}`,
  input: z.object({
    person: z
      .string()
      .regex(/^[@\uff20]?\w{1,15}$/)
      .describe("handle of the sender, such as @ana; created if missing"),
    text: z
      .string()
      .default("")
      .describe("text of the message, post or reply; a follow needs none"),
    kind: z
      .enum(["message", "post", "reply", "follow"])
      .default("message")
      .describe(
        "post: publishes a post, which has to mention the bot; reply: replies to the bot's newest post to the person; follow: follows the bot",
      ),
    wait: z.number().min(1).max(120).default(10).describe("longest time to wait, in seconds"),
  }),
  args: async ({ person, text, kind, wait }) => [
    ...(kind === "message" ? [] : [FLAG_OF_KIND[kind]]),
    "--wait",
    String(wait),
    "--",
    person,
    ...(text === "" ? [] : [text]),
  ],
  settings: ["config", "data"],
  quotesStrangers: true,
  readOnly: false,
  summary: (output) => {
    const answers = jsonLines<{ readonly from: string; readonly text: string }>(output.out);
    const texts = answers.map(({ from, text }) => `@${from}: ${text}`);
    return [...texts, ...messagesOf(output)].join("\n");
  },
});

const backtest = defineTool({
  name: "backtest",
  title: "Compare rules over past events",
  description: `Runs the events of the journal through the rules of another folder, and returns what they would have sent instead. Sends nothing. \`ok\` is true if nothing differs. ${ABOUT_STRANGERS}`,
  input: z.object({
    rules: z.string().min(1).describe("folder of the project with the rules to try"),
    since: z.string().default("24h").describe("how far back, such as 24h or 7d"),
    limit: z.int().min(1).max(100_000).default(10_000).describe("largest number of events"),
  }),
  args: async ({ rules, since, limit }, project) => [
    "--rules",
    await folderOfProject(project, rules),
    "--since",
    since,
    "--limit",
    String(limit),
  ],
  settings: ["config", "data"],
  quotesStrangers: true,
  readOnly: true,
  summary: (output) => {
    const summary = jsonLines<BacktestRow>(output.out).find(({ type }) => type === "summary");
    if (summary === undefined) return messagesOf(output).join("\n");
    const { events, same, changed, new: added, gone } = summary;
    return `${counted(events, "event")}: ${same} answered as before, ${changed} changed, ${added} new, ${gone} gone`;
  },
});

/** Last row of `answerback backtest --json`. */
interface BacktestRow {
  readonly type: string;
  readonly events: number;
  readonly same: number;
  readonly changed: number;
  readonly new: number;
  readonly gone: number;
}

/** All tools, in the order in which an assistant uses them for a new rule. */
export const TOOLS: readonly UncheckedTool[] = [docs, explain, check, test, send, why, backtest];
