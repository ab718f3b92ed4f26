import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { run } from "../support/command-line.ts";
import { door } from "../support/door.ts";
import { when } from "../support/when.ts";

const HELLO = {
  "hello.yaml": `version: 1
rules:
  - id: hello
    triggers: [dm.received]
    actions: [{reply_dm: {text: "Hello, \${{ sender.name }}."}}]
`,
};
const PATIENT = fileURLToPath(new URL("../fixtures/bots/patient.ts", import.meta.url));
/** Time in milliseconds that is longer than a lease of the store. */
const STOPPED_MS = 16_000;

let bot: BotOnSandbox;
afterEach(() => bot.close());

const write = (text: string): Promise<unknown> =>
  bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });

const answered = (count: number): Promise<true> =>
  when(async () => ((await bot.messagesTo("ana")).length >= count ? true : undefined));

describe("a machine", () => {
  it(
    "with a read-only data folder gets a message, and the bot starts once the folder is writable",
    { tags: ["read-only-folder"] },
    async () => {
      bot = await botOnSandbox({ rules: HELLO });
      await bot.start();
      await bot.stop();
      const writable = await readOnly(join(bot.folder, "data"));

      const refused = await bot.start().catch((error: unknown) => error);
      await writable();
      expect(String(refused)).toContain("the bot ended with");
      const last = bot.log().trim().split("\n").at(-1) ?? "";
      expect(JSON.parse(last)).toMatchObject({
        code: expect.stringMatching(/^(store-io|usage)$/),
        hint: expect.stringMatching(/folder/),
      });
      await bot.start();
      await write("now?");
      await answered(1);
    },
  );

  it("with a second bot on the same data continues with the first", async () => {
    bot = await botOnSandbox({ rules: HELLO });
    await bot.start();

    const config = join(bot.folder, "config", "answerback.yaml");
    expect(await run(bot.folder, "run", "--config", config)).toMatchObject({
      code: 1,
      err: expect.stringContaining("another runtime holds this store"),
    });
    await write("still there?");
    await answered(1);
    expect(await bot.stop()).toBe(0);
  });

  it("that is suspended for longer than a lease loses nothing and answers once", async () => {
    bot = await botOnSandbox({ rules: HELLO });
    await bot.startProcess();
    await write("one");
    await write("two");
    bot.signal("SIGSTOP");
    await write("three");
    await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
    bot.signal("SIGCONT");
    await when(async () => {
      await bot.sandbox.control.advance(20_000);
      const { items } = (await bot.status()).store;
      return items.sent >= 3 && items.unknown === 0 ? true : undefined;
    });

    expect(await bot.messagesTo("ana")).toEqual(Array(3).fill("Hello, Ana."));
  });
});

describe("a bot that gets a stop request while bot and platform hang", () => {
  let folder: string;
  const wire = door((_n, moment) => (moment === "before" && isHanging ? "hang" : undefined));
  let isHanging = true;
  afterEach(async () => {
    wire.close();
    await rm(folder, { recursive: true });
  });

  async function hanging(): Promise<void> {
    folder = await mkdtemp(join(tmpdir(), "patient-"));
    isHanging = true;
    bot = await botOnSandbox({
      rules: HELLO,
      bots: [PATIENT],
      env: { PATIENT_FOLDER: folder },
      through: (url) => wire.through(url),
    });
    await bot.startProcess();
    await write("are you there?");
    await when(() => (existsSync(join(folder, "waiting")) ? true : undefined));
    await when(async () => (await bot.items("sending")).at(0));
  }

  it("ends with 0 by itself, and the next one answers its open events once", async () => {
    await hanging();

    expect(await bot.stop()).toBe(0);
    isHanging = false;
    await bot.startProcess();
    await when(async () => {
      await bot.sandbox.control.advance(20_000);
      return (await bot.messagesTo("ana")).includes("Hello, Ana.") ? true : undefined;
    });
    expect(await bot.messagesTo("ana")).toEqual(["Hello, Ana."]);
  });

  it("ends at once at a second request", async () => {
    await hanging();

    bot.signal("SIGTERM");
    await when(async () => ((await bot.ready())?.status === 200 ? undefined : true));
    bot.signal("SIGTERM");
    expect([0, 130]).toContain(await bot.ended());
  });
});

/** Makes a folder read-only; returns a function that restores it. */
async function readOnly(folder: string): Promise<() => Promise<void>> {
  const mount = (...args: readonly string[]): boolean => spawnSync("mount", args).status === 0;
  if (mount("--bind", folder, folder) && mount("-o", "remount,ro,bind", folder)) {
    return async () => void spawnSync("umount", ["-l", folder]);
  }
  await chmod(folder, 0o500);
  await chmod(join(folder, "store.db"), 0o400);
  return async () => {
    await chmod(folder, 0o700);
    await chmod(join(folder, "store.db"), 0o600);
  };
}
