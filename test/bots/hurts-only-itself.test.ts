import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BotHost } from "../../src/bots/bot-host.ts";
import { startBots } from "../../src/bots/host.ts";
import type { BotLogLine, Handling } from "../../src/bots/messages.ts";
import { messageReceived } from "../support/events.ts";
import { WAIT_MS } from "../support/hang-limit.ts";
import { when } from "../support/when.ts";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const HARMFUL = file("../fixtures/bots/harmful.ts");
const DICE = file("../../bots/dice.ts");

const handling = (text: string, bot = "harmful"): Handling => ({
  bot,
  triggers: ["dm.received"],
  event: messageReceived({ text }),
  account: { id: "100", username: "hello_bot" },
  now: 0,
  replayed: false,
  answered: false,
});
const roll = handling("roll 2d6", "dice");

describe("a bot that does harm", () => {
  let host: BotHost;
  const lines: BotLogLine[] = [];
  beforeAll(async () => {
    host = await startBots({
      patienceMs: WAIT_MS,
      files: [HARMFUL, DICE],
      handlerTimeoutMs: WAIT_MS,
      stallMs: 700,
      memoryMb: 128,
      suspensions: { free: 100 },
      onLog: (line) => lines.push(line),
    });
  });
  afterAll(() => host.close());

  const errorLine = (): Promise<BotLogLine> =>
    when(() => lines.find(({ level }) => level === "error"));

  it.each([
    { text: "post null", says: "parentPort.postMessage(null)" },
    { text: "forge", says: "parentPort.postMessage(" },
  ])("is heard and not believed when it does $text", async ({ text, says }) => {
    lines.length = 0;
    const other = host.handle(roll);
    const same = host.handle(handling("a word"));

    await expect(host.handle(handling(text))).resolves.toMatchObject({
      actions: [{ text: `heard ${text}` }],
    });
    await expect(other).resolves.toMatchObject({
      actions: [{ text: expect.stringContaining("You rolled") }],
    });
    await expect(same).resolves.toMatchObject({ actions: [{ text: "heard a word" }] });
    expect(await errorLine()).toMatchObject({
      bot: "harmful",
      message: expect.stringContaining(says),
    });
    expect(lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  it("fails at once when it posts what the host can't read, and its token is not logged", async () => {
    lines.length = 0;
    const other = host.handle(handling("a word"));
    const { error } = await host.handle(handling("break JSON"));

    expect(error).toContain("the host can't read what the bot has posted: a message that says");
    expect(error).toContain("type: 'progress', token: '…'");
    expect((await errorLine()).message).toBe(error);
    await expect(other).resolves.toMatchObject({ actions: [{ text: "heard a word" }] });
  });

  it.each([
    { text: "spin", says: /no turn/, line: 23 },
    { text: "spin later", says: /no turn/, line: 26 },
    // On a slow machine, the watchdog may report a blocked event loop before the memory limit is reached.
    { text: "hoard objects", says: /memory|no turn/, line: undefined },
    { text: "hoard buffers", says: /MB|no turn/, line: undefined },
    { text: "hoard buffers slowly", says: /MB|no turn/, line: undefined },
  ])("loses its thread, and nobody else notices: $text", async ({ text, says, line }) => {
    const before = host.trouble("harmful")?.faults ?? 0;
    const bad = host.handle(handling(text));
    let rolled = 0;
    const over = new AbortController();
    void bad.finally(() => over.abort());
    while (!over.signal.aborted) {
      await expect(host.handle(roll)).resolves.toMatchObject({ actions: [{}] });
      rolled += 1;
    }

    expect((await bad).error).toMatch(says);
    expect(rolled).toBeGreaterThan(0);
    const place = line === undefined ? `${HARMFUL}:` : `${HARMFUL}:${line}:`;
    const trouble = await when(() => {
      const now = host.trouble("harmful");
      return now !== undefined && now.faults > before ? now : undefined;
    });
    expect(trouble).toMatchObject({
      latest: expect.stringMatching(says),
      place: expect.stringContaining(place),
    });
    await expect(host.handle(handling("again"))).resolves.toMatchObject({
      actions: [{ text: "heard again" }],
    });
  });

  it.each([
    "exit by name",
    "kill itself",
    "kill all processes",
    "kill a group",
    "kill its group, by text",
  ])("does not end the process by %s", async (text) => {
    const outcome = await host.handle(handling(text));

    expect(outcome.error).toMatch(/can't (end the process|send a signal to a group)/);
  });

  it("has its output in the log under its name, and a flood is cut off", async () => {
    lines.length = 0;
    await expect(host.handle(handling("print"))).resolves.toMatchObject({ actions: [{}] });
    await when(() => lines.find(({ message }) => message.includes("the rest is dropped")));

    const printed = lines.filter(({ message }) => /^line \d+$/.test(message));
    expect(printed[0]).toMatchObject({ bot: "harmful", message: "line 0" });
    expect(printed.length).toBeLessThanOrEqual(100);
  });

  it("is reported once for a hundred hanging handlers, with the place of the handler", async () => {
    const logLines: BotLogLine[] = [];
    const hasty = await startBots({
      files: [HARMFUL, DICE],
      handlerTimeoutMs: 5_000,
      stallMs: WAIT_MS,
      onLog: (line) => logLines.push(line),
    });
    const hanging = Array.from({ length: 100 }, () => hasty.handle(handling("hang")));
    await expect(hasty.handle(roll)).resolves.toMatchObject({ actions: [{}] });
    const outcomes = await Promise.all(hanging);

    expect(outcomes[99]?.error).toContain("longer than 5000 ms");
    await when(() => (hasty.trouble("harmful")?.faults === 100 ? true : undefined));
    expect(logLines.filter(({ message }) => message.includes("longer than 5000 ms"))).toEqual([
      expect.objectContaining({
        bot: "harmful",
        fields: { place: `${HARMFUL}:10:5` },
      }),
    ]);
    expect(hasty.trouble("dice")).toBeUndefined();
    await hasty.close();
  });
});

describe("a bot that ends its thread again and again", () => {
  it("is not called for growing periods, and others are called meanwhile", async () => {
    let now = 0;
    const host = await startBots({
      patienceMs: WAIT_MS,
      files: [HARMFUL, DICE],
      stallMs: 400,
      handlerTimeoutMs: WAIT_MS,
      suspensions: { free: 1, firstMs: 1_500, now: () => now },
    });
    const spin = async (): Promise<number> => {
      await host.handle(handling("spin"));
      return host.trouble("harmful")?.asideMs ?? 0;
    };

    expect(await spin()).toBe(0);
    expect(await spin()).toBe(1_500);
    await expect(host.handle(roll)).resolves.toMatchObject({ actions: [{}] });
    now = 1_500;
    expect(await spin()).toBe(3_000);
    await host.close();
  });

  it("lets any number of events wait meanwhile, without a warning", async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", note);
    const host = await startBots({
      patienceMs: WAIT_MS,
      files: [HARMFUL],
      stallMs: 400,
      handlerTimeoutMs: WAIT_MS,
      suspensions: { free: 0, firstMs: 500 },
    });
    await host.handle(handling("spin"));
    const waiting = Array.from({ length: 20 }, () => host.handle(handling("a word")));
    const answers = await Promise.all(waiting);
    await host.close();
    process.off("warning", note);

    expect(answers.filter(({ actions }) => actions.length === 1)).toHaveLength(20);
    expect(warnings).not.toContain("MaxListenersExceededWarning");
  });

  it("delays no other bot, even if there are more bots than threads", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bots-"));
    const files = Array.from({ length: 5 }, (_, n) => join(folder, `bot-${n}.js`));
    for (const [n, path] of files.entries()) {
      const handler =
        'async (ctx) => { if (ctx.event.message.text === "spin") for (;;); await ctx.reply("yes"); }';
      await writeFile(
        path,
        `module.exports = { name: "bot-${n}", on: { "dm.received": ${handler} } };`,
      );
    }
    const host = await startBots({
      patienceMs: WAIT_MS,
      files,
      stallMs: 400,
      handlerTimeoutMs: WAIT_MS,
    });
    const spun = host.handle(handling("spin", "bot-4"));
    const others = await Promise.all(
      files.slice(0, 4).map((_, n) => host.handle(handling("hi", `bot-${n}`))),
    );

    expect(host.bots).toHaveLength(5);
    expect(others.every(({ actions }) => actions.length === 1)).toBe(true);
    expect((await spun).error).toContain("no turn");
    await host.close();
    await rm(folder, { recursive: true });
  });
});
