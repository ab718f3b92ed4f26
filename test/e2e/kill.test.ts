import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { closeDoors, holdingBack } from "../support/holding-back.ts";
import { when } from "../support/when.ts";

const HELLO = `version: 1
rules:
  - id: hello
    triggers: [dm.received]
    actions: [{reply_dm: {text: "Hello, \${{ sender.name }}."}}]
`;

let bot: BotOnSandbox;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patient-"));
});
afterEach(async () => {
  closeDoors();
  await bot.close();
  await rm(folder, { recursive: true });
});

describe("kill -9 of the bot", () => {
  it("after it acknowledged an event: the answer comes after the restart, once", async () => {
    bot = await botOnSandbox({
      bots: [fileURLToPath(new URL("../fixtures/bots/patient.ts", import.meta.url))],
      env: { PATIENT_FOLDER: folder },
    });
    const { control } = bot.sandbox;
    await bot.startProcess();
    await control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text: "are you there?" });
    await when(() => (existsSync(join(folder, "waiting")) ? true : undefined));

    await bot.kill();
    expect(await bot.messagesTo("ana")).toEqual([]);
    await writeFile(join(folder, "go"), "");
    await bot.startProcess();
    await bot.quiet();

    expect(await bot.messagesTo("ana")).toEqual(["patiently: are you there?"]);
  });

  it("after the platform accepted the answer, before that was recorded: it is found there, not sent again", async () => {
    const answers = holdingBack();
    bot = await botOnSandbox({ rules: { "hello.yaml": HELLO }, through: answers.through });
    const { control } = bot.sandbox;
    await bot.startProcess();
    await control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text: "hello?" });
    await answers.held;

    await bot.kill();
    answers.release();
    expect(await bot.messagesTo("ana")).toEqual(["Hello, Ana."]);
    await bot.start();
    await when(async () => {
      await control.advance(20_000);
      return (await bot.items("sent")).length > 0 ? true : undefined;
    });

    await bot.logged("the process ended while the request was under way");
    expect(await bot.messagesTo("ana")).toEqual(["Hello, Ana."]);
    // Before the bot looks up the message, the platform may deliver it again as an event (its echo).
    expect(["found on the platform", "echoed"]).toContain((await bot.items())[0]?.reason);
    await control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text: "and now?" });
    await when(async () => ((await bot.items("sent")).length === 2 ? true : undefined));
    expect(await bot.messagesTo("ana")).toEqual(["Hello, Ana.", "Hello, Ana."]);
  });

  it("with a database: the next process has all of the work, and does not wait for the end of its leases", async () => {
    bot = await botOnSandbox({ rules: { "hello.yaml": HELLO }, shared: true });
    await bot.startProcess();
    const before = await bot.status();
    await bot.kill();
    await bot.startProcess();
    await bot.logged("this process continues the work of a process that was killed");
    const after = await bot.status();

    expect(before.work.partitions).toBeGreaterThan(0);
    expect(after.work.partitions).toBe(before.work.partitions);
    expect(after.processes.map(({ name }) => name)).toEqual([after.process]);
    expect(after.process).not.toBe(before.process);
  });

  it("before the request left: the answer is sent after the restart, once", async () => {
    const answers = holdingBack({ before: true });
    bot = await botOnSandbox({ rules: { "hello.yaml": HELLO }, through: answers.through });
    const { control } = bot.sandbox;
    answers.refuse(true);
    await bot.startProcess();
    await control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text: "hello?" });
    await when(async () => (await bot.items("pending")).find(({ attempts }) => attempts > 0));

    await bot.kill();
    answers.refuse(false);
    await bot.start();
    await control.advance(60_000);
    await bot.quiet();

    expect(await bot.messagesTo("ana")).toEqual(["Hello, Ana."]);
  });
});

describe.each([
  { where: "a folder", shared: false },
  { where: "a database", shared: true },
])("kill -9 of a bot with its data in $where, while an operator answers", ({ shared }) => {
  const answer = { person: "@ana", text: "A person here.", by: "Kim", key: "one-key-of-kim" };
  const begun = async (answers: ReturnType<typeof holdingBack>) => {
    bot = await botOnSandbox({
      rules: { "hello.yaml": HELLO.replace("dm.received", "user.followed") },
      through: answers.through,
      shared,
    });
    await bot.startProcess();
    const { control } = bot.sandbox;
    await control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text: "who is there?" });
    await when(async () => (await bot.journal()).find(({ state }) => state === "done"));
  };

  it("before the request left: the answer is sent after the restart, once, however often it is repeated", async () => {
    const answers = holdingBack({ before: true });
    answers.refuse(true);
    await begun(answers);
    expect(await bot.ask("answerByHand", answer)).toMatchObject({ done: true, changed: true });

    await bot.kill();
    answers.refuse(false);
    await bot.start();
    expect(await bot.ask("answerByHand", answer)).toMatchObject({ done: true, changed: false });
    await when(async () => {
      await bot.sandbox.control.advance(60_000);
      return (await bot.items("sent"))[0];
    });
    await bot.quiet();

    expect(await bot.messagesTo("ana")).toEqual(["A person here."]);
    expect(await bot.items()).toHaveLength(1);
  });

  it("after the platform accepted it, before that was recorded: it is found there, not sent again", async () => {
    const answers = holdingBack();
    await begun(answers);
    await bot.ask("answerByHand", answer);
    await answers.held;

    await bot.kill();
    answers.release();
    await bot.start();
    await when(async () => {
      await bot.sandbox.control.advance(20_000);
      return (await bot.items("sent"))[0];
    });

    expect(await bot.messagesTo("ana")).toEqual(["A person here."]);
    expect(["found on the platform", "echoed"]).toContain((await bot.items())[0]?.reason);
  });
});

describe("SIGTERM of the bot", () => {
  it("while a handler hangs: it ends by itself, and the answer comes after the restart, once", async () => {
    bot = await botOnSandbox({
      bots: [fileURLToPath(new URL("../fixtures/bots/patient.ts", import.meta.url))],
      env: { PATIENT_FOLDER: folder },
    });
    const { control } = bot.sandbox;
    await bot.startProcess();
    await control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text: "still there?" });
    await when(() => (existsSync(join(folder, "waiting")) ? true : undefined));

    expect(await bot.stop()).toBe(0);
    await bot.logged("stopped before this work was finished");
    await writeFile(join(folder, "go"), "");
    await bot.startProcess();
    await bot.quiet();

    expect(await bot.messagesTo("ana")).toEqual(["patiently: still there?"]);
  });
});
