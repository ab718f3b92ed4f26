import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freeAddress } from "../../../src/cli/dev/free-address.ts";
import { moveAside } from "../../../src/cli/dev/move-aside.ts";
import {
  type Suggestion,
  type SuggestionNeeds,
  suggestions,
} from "../../../src/cli/dev/suggestions.ts";
import { loadSettings } from "../../../src/config/load-settings.ts";
import { listen } from "../../../src/system/listen.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-dev-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the data folder", () => {
  const now = Date.UTC(2030, 0, 31, 9);

  /** Creates a project with a data folder. */
  async function project() {
    const root = join(folder, "project");
    for (const name of ["config/answerback.yaml", "data/store.db", "notes/mine.txt"]) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), "");
    }
    await mkdir(join(root, "empty"));
    await symlink(root, join(root, "link"));
    return { root, settingsFile: join(root, "config", "answerback.yaml"), now };
  }

  it("is moved aside under a name of its own, however often within a second", async () => {
    const data = join(folder, "data");
    const place = { cwd: folder, settingsFile: undefined, now };
    const moved: (string | undefined)[] = [];
    for (const text of ["first", "second"]) {
      await mkdir(data);
      await writeFile(join(data, "store.db"), text);
      moved.push(await moveAside(data, place));
    }

    expect(moved).toEqual([`${data}.2030-01-31T090000`, `${data}.2030-01-31T090000-2`]);
    expect(await readFile(join(moved[1] ?? "", "store.db"), "utf8")).toBe("second");
    expect(await moveAside(data, place)).toBeUndefined();
  });

  it.each([
    { path: ".", why: "the command runs in this folder" },
    { path: "link", why: "the command runs in this folder" },
    { path: "..", why: "the command runs in this folder" },
    { path: "data", cwd: "data", why: "the command runs in this folder" },
    {
      path: ".",
      cwd: "notes",
      why: "the command runs in this folder",
    },
    { path: "config", why: "the settings file config/answerback.yaml is in it" },
    { path: ".", cwd: "/", why: "answerback.yaml is in it" },
    { path: "notes", why: "it has files, but no data of a bot" },
  ])("is not moved if it is $path of the project: $why", async ({ path, cwd = ".", why }) => {
    const { root, ...place } = await project();
    const before = await readdir(root);

    await expect(
      moveAside(resolve(root, path), { ...place, cwd: resolve(root, cwd) }),
    ).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringContaining(why),
      hint: expect.stringContaining("--data"),
    });
    expect(await readdir(root)).toEqual(before);
  });

  it.each(["data", "empty"])("is moved if it is %s of the project", async (path) => {
    const { root, ...place } = await project();
    expect(await moveAside(join(root, path), { ...place, cwd: root })).toBe(
      join(root, `${path}.2030-01-31T090000`),
    );
  });
});

describe("the webhook's address", () => {
  it("is the wanted one when its port is free", async () => {
    const probe = createServer();
    const port = await listen(probe, 0);
    await new Promise((resolve) => probe.close(resolve));
    const calls: number[][] = [];

    const address = await freeAddress({ host: "127.0.0.1", port }, (...ports) => calls.push(ports));

    expect(address).toEqual({ host: "127.0.0.1", port });
    expect(calls).toEqual([]);
  });

  it("gets another port when the wanted one is busy", async () => {
    const other = createServer();
    const port = await listen(other, 0);
    const calls: number[][] = [];

    const address = await freeAddress({ host: "127.0.0.1", port }, (...ports) => calls.push(ports));
    await new Promise((resolve) => other.close(resolve));

    expect(address.port).not.toBe(port);
    expect(calls).toEqual([[port, address.port]]);
  });

  it("is outside the system's range for outgoing connections if any port is accepted, because the bot listens on it later", async () => {
    for (let n = 0; n < 20; n += 1) {
      const { host, port } = await freeAddress({ host: "127.0.0.1", port: 0 }, () => {});

      expect(host).toBe("127.0.0.1");
      expect(port).toBeGreaterThanOrEqual(12_000);
      expect(port).toBeLessThan(32_000);
    }
  });
});

/** Commands that `dev` suggests for a folder with one rule file. */
async function suggested(
  rules: string,
  bots: SuggestionNeeds["bots"] = [],
): Promise<readonly Suggestion[]> {
  await mkdir(join(folder, "config", "rules"), { recursive: true });
  await writeFile(join(folder, "config", "rules", "a.yaml"), rules);
  const settings = await loadSettings({ cwd: folder, environment: {} });
  const account = { id: "100", username: "shop" };
  return suggestions({ settings, cwd: folder, account, now: Date.UTC(2026, 0, 1), bots });
}

describe("the messages that dev suggests", () => {
  it.each([
    {
      rules: `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{ any: [{ message.text: { contains_word: [hours, open] } }] }]
    actions: [{ reply_dm: "nine" }]
  - id: thanks
    triggers: [post.mentioned]
    actions: [{ reply_post: "thanks" }]
`,
      args: ['send @ana "hours"', 'send @ben --post "@shop are you open?"', "chat"],
      why: "a word of a rule, and a mention",
    },
    {
      rules: `version: 1
rules:
  - id: welcome
    triggers: [user.followed]
    actions: [{ reply_dm: "hi" }]
`,
      args: ["send @ben --follow", "chat"],
      why: "a follow",
    },
    { rules: "version: 1\nrules: []\n", args: ["init -y --force"], why: "no rules" },
  ])("fits the rules: $why", async ({ rules, args }) => {
    const suggestion = await suggested(rules);

    expect(suggestion.map((suggestion) => suggestion.args)).toEqual(args);
  });

  it("leaves out words that no rule answers: another rule, a condition or a stage is in the way", async () => {
    const suggestion = await suggested(`version: 1
rules:
  - id: known
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: hours } }, { sender.followers_count: { gte: 1000 } }]
    actions: [{ reply_dm: "nine" }]
  - id: draft
    stage: draft
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: refund } }]
    actions: [{ reply_dm: "no" }]
  - id: price
    triggers: [post.mentioned]
    conditions: [{ post.text: { contains_word: price } }]
    actions: [{ reply_post: "ten" }]
`);

    expect(suggestion).toEqual([
      { args: 'send @ben --post "@shop price"', outcome: "rule price answers" },
      { args: "chat", outcome: "a conversation, line by line" },
    ]);
  });

  it("names the rule and distinguishes a question from an answer", async () => {
    const suggestion = await suggested(`version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: hours } }]
    actions: [{ reply_dm: "nine" }]
  - id: order
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: order } }]
    actions: [{ ask: { text: "Which number?", within: 5m } }, { reply_dm: "Thanks." }]
  - id: later
    triggers: [user.followed]
    actions: [{ delay: 1h }, { reply_dm: "Hello." }]
`);

    expect(suggestion).toEqual([
      { args: 'send @ana "hours"', outcome: "rule hours answers" },
      { args: 'send @ana "order"', outcome: "rule order asks; answer it with chat or send" },
      { args: "send @ben --follow", outcome: "rule later runs" },
      { args: "chat", outcome: "a conversation, line by line" },
    ]);
  });

  it("prefers messages after which the bot still answers", async () => {
    const human = `
  - id: human
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: human } }]
    actions: [{ reply_dm: "One moment." }, { escalate: { queue: shop, pause_bot: { for: 12h } } }]`;
    const hours = `
  - id: hours
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: hours } }]
    actions: [{ reply_dm: "nine" }]`;

    expect(await suggested(`version: 1\nrules:${human}${hours}\n`)).toContainEqual({
      args: 'send @ana "hours"',
      outcome: "rule hours answers",
    });
    expect(await suggested(`version: 1\nrules:${human}\n`)).toEqual([
      { args: 'send @ana "human"', outcome: "rule human hands over; the bot is silent then" },
      { args: "chat", outcome: "a conversation, line by line" },
    ]);
  });

  it("says that a public question is answered by a reply", async () => {
    const [first] = await suggested(`version: 1
rules:
  - id: vote
    triggers: [post.mentioned]
    actions: [{ ask: { text: "Which book?", within: 1h } }, { reply_post: "Thanks." }]
`);

    expect(first?.outcome).toBe("rule vote asks; answer it with send @ben --reply");
  });

  it("suggests no new project where rules need what no trial has", async () => {
    const suggestion = await suggested(`version: 1
rules:
  - id: strike
    triggers: [dm.received]
    conditions: [{ sender.followers_count: { gte: 1000 } }]
    actions: [{ reply_dm: "hi" }]
`);

    expect(suggestion.map(({ args }) => args)).toEqual(["chat"]);
  });

  it("suggests any text if a rule requires no word", async () => {
    const suggestion = await suggested(`version: 1
rules:
  - {id: echo, triggers: [dm.received], actions: [{reply_dm: "\${{ message.text }}"}]}
`);

    expect(suggestion[0]).toEqual({ args: 'send @ana "hello"', outcome: "rule echo answers" });
  });

  it("names bots that listen if no rule does", async () => {
    const bots = [{ name: "dice", triggers: ["dm.received", "post.mentioned"] }];
    const suggestion = await suggested("version: 1\nrules: []\n", bots);

    expect(suggestion).toEqual([
      { args: 'send @ana "hello"', outcome: "bot dice gets it" },
      { args: 'send @ben --post "@shop hello"', outcome: "bot dice gets it" },
      { args: "chat", outcome: "a conversation, line by line" },
    ]);
  });
});
