import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { refuseFaulty } from "../../src/host/opening/refuse-incomplete.ts";
import { answerMatchers, type Lab, startLab } from "../../src/testing/index.ts";

expect.extend(answerMatchers);

const RULES = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}]
    cooldown: {per: sender, for: 1h}
    actions: [{reply_dm: We open at nine.}]
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - id: number
        ask: {text: "Which number?", within: 15m, on_timeout: [{reply_dm: "Another time, then."}, {stop: late}]}
      - delay: 2m
      - reply_dm: "\${{ steps.number.text }} is on its way."
      - delay: 1d
      - reply_dm: Did it arrive?
  - id: thanks
    triggers: [user.followed]
    actions: [{reply_dm: Thanks for the follow!}]
  - id: mention
    triggers: [post.mentioned]
    actions: [{reply_post: "Hello @\${{ sender.username }}"}, like]
`;

/** Source of a module with a bot that answers each event of a trigger. */
const botOn = (trigger: string): string =>
  `import { defineBot } from "answerback";
  export default defineBot({ name: "a", on: { "${trigger}": (ctx) => ctx.reply("hello") } });`;

/** Creates a folder with files. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-lab-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return folder;
}

let lab: Lab;
// a test of a lab that does not start has none
afterEach(() => lab?.stop());

const begun = async () => {
  lab = await startLab({ rules: [{ text: RULES }], environment: {} });
  return lab.person("ana");
};

describe("a lab", () => {
  it("returns the bot's answers to a person's actions", async () => {
    const ana = await begun();

    expect(await ana.says("hours?")).toEqual(["We open at nine."]);
    expect(await ana.says("hours?")).toEqual([]);
    expect(await ana.follows()).toEqual(["Thanks for the follow!"]);
    expect(await ana.posts("@hello_bot are you there?")).toEqual(["Hello @ana"]);
    expect(lab.now()).toEqual(new Date("2026-03-02T09:00:00Z"));
  });

  it("runs everything that becomes due when it advances the time", async () => {
    const ana = await begun();
    await ana.says("order");
    expect(await ana.says("A1")).toEqual([]);

    expect(await lab.advance("119s")).toEqual([]);
    expect(await lab.advance("1s")).toEqual([
      { kind: "message", to: "ana", text: "A1 is on its way." },
    ]);
    expect(await lab.advance("2d")).toEqual([
      { kind: "message", to: "ana", text: "Did it arrive?" },
    ]);
    expect(lab.now()).toEqual(new Date("2026-03-04T09:02:00Z"));
  });

  it("fires timers one after the other, each at its time", async () => {
    const ana = await begun();
    await ana.says("order");
    await ana.says("A1");

    expect((await lab.advance("30h")).map(({ text }) => text)).toEqual([
      "A1 is on its way.",
      "Did it arrive?",
    ]);
  });

  it.each([{ kill: true }, { kill: false }])(
    "can end the bot's process (%o), and nothing is lost or sent twice",
    async (options) => {
      const ana = await begun();
      expect(await ana.says("order")).toEqual(["Which number?"]);
      await lab.restart(options);
      await ana.says("A1");
      await lab.restart(options);

      expect(await lab.advance("2m")).toEqual([
        { kind: "message", to: "ana", text: "A1 is on its way." },
      ]);
      expect(await lab.replies()).toEqual([]);
    },
  );

  it("also returns public actions of the bot", async () => {
    const ana = await begun();
    await ana.posts("nothing for anybody");
    expect(await lab.replies()).toEqual([]);
    const { control } = lab.sandbox;
    await control.act(ana.id, { type: "post", text: "@hello_bot hello" });

    expect(await lab.replies()).toEqual([
      { kind: "reply", to: "ana", text: expect.stringMatching(/Hello @ana$/) },
      { kind: "like", to: "ana" },
    ]);
  });

  it.each([429, 500, 503])(
    "returns what was sent so far if the platform answers %d, and the rest after the retries",
    async (status) => {
      const cwd = await folderWith({
        "bots/a.ts": `import { defineBot } from "answerback";
          export default defineBot({ name: "a", on: { "dm.received": async (ctx) => {
            await ctx.reply("one");
            await ctx.reply("two");
          } } });`,
      });
      lab = await startLab({ settings: { bots: ["bots/*.ts"] }, cwd, environment: {} });
      const [ana, ben] = [await lab.person("ana"), await lab.person("ben")];
      await lab.sandbox.control.addFault({
        match: { direction: "request", method: "POST", path: "/*messages*" },
        fault: { type: "status", status },
        when: { next: 1 },
      });

      expect(await ana.says("x")).toEqual([]);
      await ben.says("y");
      const texts = (await lab.advance("15m")).map(({ to, text }) => `${to}: ${text}`);
      expect(texts.filter((text) => text.startsWith("ana"))).toEqual(["ana: one", "ana: two"]);
    },
  );

  it("does not wait for answers of a paused account", async () => {
    const ana = await begun();
    await lab.runtime.pause();
    expect(await ana.says("hours?")).toEqual([]);
    await lab.runtime.resume();
    expect(await lab.replies()).toAnswer("nine");
  });

  it("returns all parts of a long public answer, as answers to the person", async () => {
    const long = "Words of a long answer. ".repeat(20).trim();
    const text = `version: 1\nrules: [{id: long, triggers: [post.mentioned], actions: [{reply_post: "${long}"}]}]\n`;
    lab = await startLab({ rules: [{ text }], environment: {} });
    const ana = await lab.person("ana");

    const parts = await ana.posts("@hello_bot tell me");
    expect(parts).toHaveLength(2);
    expect(parts.join(" ").match(/long answer/g)).toHaveLength(20);
    await lab.sandbox.control.act(ana.id, { type: "post", text: "@hello_bot again" });
    expect((await lab.replies()).map(({ kind, to }) => `${kind} to ${to}`)).toEqual([
      "reply to ana",
      "reply to ana",
    ]);
  });

  it("has the people that its sandbox has, also after a change of their handle", async () => {
    await begun();
    const { control } = lab.sandbox;
    const id = await control.user("Bea");
    const bea = await lab.person("@bea");

    expect(bea).toMatchObject({ id, username: "Bea" });
    await control.changeUser(id, { username: "bea_new" });
    expect(await bea.says("hours?")).toEqual(["We open at nine."]);
    expect((await lab.person("bea_new")).id).toBe(id);
    expect((await lab.person("bea")).id).not.toBe(id);
    await expect(lab.person("hello_bot")).rejects.toThrow("There is already a user @hello_bot");
  });

  it("refuses an invalid start time", async () => {
    await begun();
    await expect(startLab({ startAt: "noon" })).rejects.toThrow("got noon");
  });
});

describe("a lab with a part that does not work", () => {
  const RULE = RULES.replace("dm.received", "dm.recieved");
  const YAML = "version: 1\nrules: []\nbots: [bots/*.ts]\n";

  it.each([
    {
      what: "a bot with an unknown trigger",
      files: { "bots/a.ts": botOn("dm.recieved") },
      options: { settings: { bots: ["bots/*.ts"] } },
      says: /a\.ts: .*dm\.recieved/,
    },
    {
      what: "a module that throws",
      files: { "bots/a.ts": "throw new Error('no key');" },
      options: { settings: { bots: ["bots/*.ts"] } },
      says: /a\.ts: .*no key/,
    },
    {
      what: "a glob of bots without a file",
      files: { "rules/a.yaml": RULES },
      options: { settings: { bots: ["bots/*.ts"] }, rules: ["rules/*.yaml"] },
      says: /^no file matches .*bots\/\*\.ts$/,
    },
    {
      what: "a glob of rules without a file",
      files: { "bots/a.ts": botOn("dm.received") },
      options: { settings: { bots: ["bots/*.ts"] }, rules: ["rules/*.yaml"] },
      says: /^no file matches .*rules\/\*\.yaml$/,
    },
    {
      what: "a glob of a settings file without a file",
      files: { "answerback.yaml": YAML },
      options: { settings: "answerback.yaml" },
      says: /^no file matches .*bots\/\*\.ts$/,
    },
    {
      what: "a settings file without any rule and bot",
      files: { "config/answerback.yaml": "version: 1\n" },
      options: { settings: "config/answerback.yaml" },
      says: /^no file matches .*rules\/\*\.\{yaml,yml\}, .*bots\/\*\.ts$/,
    },
    {
      what: "a rule with an error",
      files: {},
      options: { rules: [{ text: RULE }] },
      says: /error: .*dm\.recieved/,
    },
  ])("does not start: $what", async ({ files, options, says }) => {
    const cwd = await folderWith(files);

    await expect(startLab({ ...options, cwd, environment: {} })).rejects.toThrow(says);
  });

  it.each([
    { whose: "the default", globs: "" },
    { whose: "the project template's", globs: "rules: [../rules/*.yaml]\nbots: [../bots/*.ts]\n" },
  ])("starts if only $whose globs of its settings file match nothing", async ({ globs }) => {
    const cwd = await folderWith({
      "config/answerback.yaml": `version: 1\n${globs}`,
      "bots/a.ts": botOn("dm.received"),
    });
    lab = await startLab({ settings: "config/answerback.yaml", cwd, environment: {} });

    expect(await (await lab.person("ana")).says("hi")).toEqual(["hello"]);
  });

  it("is one with a bot that is still being loaded", () => {
    const rules = { count: 0, revision: "", problems: ["a.yaml:1:1: warning: odd [code]"] };
    const module = { file: "/bots/a.ts", since: "2026-03-02T09:00:00.000Z" };

    expect(() => refuseFaulty({ rules, botFaults: [], loadingBots: [module] })).toThrow(
      "/bots/a.ts: not loaded within 60 s",
    );
    expect(() => refuseFaulty({ rules, botFaults: [], loadingBots: [] })).not.toThrow();
  });
});

describe("toAnswer", () => {
  it("searches the answers for a text or a pattern, and shows the actual answers", async () => {
    const ana = await begun();
    const answers = await ana.says("hours?");

    expect(answers).toAnswer("nine");
    expect(answers).toAnswer(/^We/);
    expect(await ana.says("hours?")).not.toAnswer();
    await lab.sandbox.control.act(ana.id, { type: "post", text: "@hello_bot hello" });
    const deeds = await lab.replies();
    expect(deeds).toAnswer(/^@?.*Hello @ana/);
    expect(deeds).toAnswer("Hello");
    expect(deeds).not.toAnswer("nine");
    const followed = ana.follows();
    expect(() => expect(followed).toAnswer()).toThrow(
      "toAnswer takes a list of answers, got a promise: put await before the call",
    );
    await followed;
    expect(() => expect(answers).toAnswer("ten")).toThrow(
      'expected an answer with ten, got: "We open at nine."',
    );
    expect(answers).toAnswer(runInNewContext("/nine/"));
  });

  it.each([[{ text: "nine" }], [""], [undefined], [null], [() => true]])(
    "refuses to search for %j, which would find nothing or everything",
    (wanted) => {
      // @ts-expect-error: tests in JavaScript may pass anything
      const search = () => expect(["We open at nine."]).toAnswer(wanted);
      expect(search).toThrow(TypeError);
      expect(search).toThrow("toAnswer searches for a text or a pattern, got ");
    },
  );
});
