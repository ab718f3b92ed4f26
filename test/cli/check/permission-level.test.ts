import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { checkFiles } from "../../../src/cli/check/check-files.ts";
import type { AccessLevel } from "../../../src/protocol/access.ts";

const NO_INPUT = {
  isTerminal: false,
  lines: async function* () {
    yield await Promise.resolve("");
  },
  text: () => Promise.resolve(""),
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-level-"));
  await mkdir(join(folder, "config", "rules"), { recursive: true });
  await mkdir(join(folder, "bots"));
});
afterEach(() => rm(folder, { recursive: true }));

const RULES = `version: 1
rules:
  - id: hours
    triggers: [dm.received, post.mentioned]
    actions:
      - log: asked
      - if: sender.username == "ana"
        then: [{reply: "At nine."}]
      - like: "1"
        on_error: [{reply_dm: sorry}]
  - id: greet
    triggers: [user.followed]
    actions:
      - run: said
      - wait_for: {trigger: dm.received, within: 1h}
      - ask: {text: "Where?", within: 1h}
  - id: said
    actions:
      - follow
  - id: drafted
    stage: draft
    triggers: [dm.received]
    actions: [{reply_dm: no}]
`;

const BOT = `import { defineBot } from "answerback";

export default defineBot({
  name: "hello",
  on: { "dm.received": (ctx) => ctx.reply("hi") },
});
`;

/** Problems of the project if the app has a permission level, as lines `file:line:column: message`. */
async function problems(
  level: AccessLevel | undefined,
  { source = "polling", rules = RULES, bot = "" } = {},
): Promise<readonly string[]> {
  const app = level === undefined ? "" : `app: {permission_level: ${level}}\n`;
  await writeFile(
    join(folder, "config", "answerback.yaml"),
    `version: 1\nsource: ${source}\n${app}`,
  );
  await writeFile(join(folder, "config", "rules", "rules.yaml"), rules);
  if (bot !== "") await writeFile(join(folder, "bots", "hello.ts"), bot);
  const check = await checkFiles({ cwd: folder, env: {}, input: NO_INPUT }, [], {});
  return check.problems
    .filter(({ code }) => code === "permission-level")
    .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
}

const needs = (verb: string, level: string, own: string): string =>
  `"${verb}" needs the permission level ${level}, and the app's is ${own}`;
const DM = "read-write-directmessages";

describe("check, at the app's permission level", () => {
  it("names every trigger and step that reading alone does not allow", async () => {
    const at = "config/rules/rules.yaml:";
    const never = `dm.received never comes at the app's permission level, read: it needs ${DM}`;
    expect(await problems("read")).toEqual([
      `${at}4:16: ${never}`,
      `${at}8:16: ${needs("reply", DM, "read")}`,
      `${at}9:9: ${needs("like", "read-write", "read")}`,
      `${at}10:20: ${needs("reply_dm", DM, "read")}`,
      `${at}14:9: "follow" of the rule "said" needs the permission level read-write, and the app's is read`,
      `${at}15:9: ${needs("wait_for", DM, "read")}`,
      `${at}16:9: ${needs("ask", DM, "read")}`,
    ]);
  });

  it("allows public steps at read-write, and everything at the highest level", async () => {
    const verbs = (await problems("read-write")).map((text) => /: "?([\w.]+)/.exec(text)?.[1]);

    expect(verbs).toEqual(["dm.received", "reply", "reply_dm", "wait_for", "ask"]);
    expect(await problems(DM)).toEqual([]);
  });

  it("reports nothing while the level is unknown", async () => {
    expect(await problems(undefined)).toEqual([]);
  });

  test.each([
    { source: "webhook", is: "refused" },
    { source: "both", is: "refused" },
    { source: "activity", is: "accepted" },
    { source: "polling", is: "accepted" },
  ])("source $source at read-write is $is", async ({ source, is }) => {
    const rules = "version: 1\nrules: []\n";
    const refused = [
      `config/answerback.yaml:3:25: "source: ${source}" needs the permission level ${DM}, and the app's is read-write`,
    ];
    expect(await problems("read-write", { source, rules })).toEqual(
      is === "refused" ? refused : [],
    );
  });

  it("names a bot's trigger", async () => {
    const rules = "version: 1\nrules: []\n";
    expect(await problems("read-write", { rules, bot: BOT })).toEqual([
      `bots/hello.ts:5:10: dm.received never comes at the app's permission level, read-write: it needs ${DM}`,
    ]);
    expect(await problems(DM, { rules, bot: BOT })).toEqual([]);
  });
});
