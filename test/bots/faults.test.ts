import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { BotHost } from "../../src/bots/bot-host.ts";
import { startBots } from "../../src/bots/host.ts";
import type { BotLogLine, HandlerOutcome } from "../../src/bots/messages.ts";
import { messageReceived } from "../support/events.ts";
import { NOBODY_ANSWERS } from "../support/nobody-answers.ts";
import { when } from "../support/when.ts";

const FILE = fileURLToPath(new URL("../fixtures/bots/forgetful.ts", import.meta.url));

/** Place of the text `within` in the file, as `file:line:column`. */
function placeOf(text: string, within: string): string {
  const before = readFileSync(FILE, "utf8").split(text)[0] ?? "";
  const rows = before.split("\n");
  return `${FILE}:${rows.length}:${(rows.at(-1)?.length ?? 0) + text.indexOf(within) + 1}`;
}

const lines: BotLogLine[] = [];
let host: BotHost;
beforeAll(async () => {
  host = await startBots({ patienceMs: 120_000, files: [FILE], onLog: (line) => lines.push(line) });
});
afterAll(() => host.close());

const event = messageReceived({ text: "hi" });
const hear = (text: string, by = host): Promise<HandlerOutcome> =>
  by.handle(
    {
      bot: "forgetful",
      triggers: ["dm.received"],
      event: messageReceived({ text }),
      account: { id: "100", username: "hello_bot" },
      now: 0,
      replayed: false,
      answered: false,
    },
    { keep: async () => [], read: async () => ({ version: 0 }), ...NOBODY_ANSWERS },
  );
const lineWith = (says: string): Promise<BotLogLine> =>
  when(() => lines.find(({ message }) => message.includes(says)));

it("the log contains the output of a module while it is loaded", async () => {
  const own: BotLogLine[] = [];
  const loading = await startBots({ files: [FILE], onLog: (line) => own.push(line) });
  onTestFinished(() => loading.close());

  const line = await when(() => own.find(({ message }) => message === "loaded"));
  expect(line.level).toBe("info");
});

describe("the console of a handler", () => {
  beforeEach(() => void lines.splice(0));

  it("writes to the log: one line for each call, with the level, the bot's name and the event", async () => {
    const own: BotLogLine[] = [];
    const host = await startBots({ files: [FILE], onLog: (line) => own.push(line) });
    onTestFinished(() => host.close());
    await hear("console", host);
    await when(() => own.find(({ message }) => message.includes("asserted")));
    const handlerLines = own.filter(({ message }) => message !== "loaded");

    expect(handlerLines.map(({ level, message }) => [level, message])).toEqual([
      ["info", "a line with { n: 1 }"],
      ["debug", "debugged"],
      ["warn", "warned"],
      ["error", "shown\nin two lines"],
      ["warn", "Assertion failed: asserted"],
    ]);
    for (const line of handlerLines)
      expect(line).toMatchObject({ bot: "forgetful", key: event.key });
  });

  it("is cut off in a flood, with a line about it", async () => {
    // After this flood, this bot's console output is dropped for a while.
    const flooded = await startBots({ files: [FILE], onLog: (line) => lines.push(line) });
    await hear("flood", flooded);

    expect((await lineWith("the rest is dropped")).message).toContain("more than 100 lines");
    await flooded.close();
  });
});

it("the log contains Node's warnings as warnings", async () => {
  await hear("warning");

  expect(await lineWith("call it no more")).toMatchObject({
    level: "warn",
    message: "DeprecationWarning [OLD_CALL]: call it no more",
  });
});

describe("a handler that fails", () => {
  it("is logged with its message, file and line, and without a stack", async () => {
    const outcome = await hear("fail");
    const line = await lineWith("no such table");

    const place = placeOf("throw new RangeError", "new");
    const message = "RangeError: no such table (because of Error: the line is dead)";
    expect(line).toMatchObject({ level: "error", bot: "forgetful", message });
    expect(line.fields).toEqual({ place });
    expect(outcome.error?.split("\n")).toEqual([message, `    at ${place}`]);
  });
});

describe("work that continues after a handler has returned", () => {
  beforeEach(() => void lines.splice(0));

  it.each([
    { text: "late reply", call: "ctx.reply", written: "void ctx.reply", within: "reply" },
    { text: "late state", call: "ctx.state.set", written: "ctx.state.set", within: "set" },
  ])("$text is told once, with its line", async ({ text, call, written, within }) => {
    const outcome = await hear(text);
    const says = `${call} was called after the handler had returned`;
    await lineWith(says);
    await hear("anything");

    expect(outcome.actions).toEqual([]);
    const late = lines.filter(({ message }) => message.includes(says));
    expect(late).toMatchObject([{ level: "error", fields: { place: placeOf(written, within) } }]);
  });

  it("a step without await is logged, with its line", async () => {
    await hear("no await");

    const { message, fields } = await lineWith("was under way when the handler returned");
    expect(message).toContain('ctx.step("never kept")');
    expect(fields).toEqual({ place: placeOf("void ctx.step", "step") });
  });
});

describe("the error of a function that a rule calls", () => {
  const call = (name: string, path = "") =>
    host.call({ module: FILE, export: name, input: { path }, event });

  it("is the message alone, without paths", async () => {
    expect(await call("missing")).toEqual({
      ok: false,
      error: "ENOENT: no such file or directory, open 'no-such.txt'",
    });
    expect(await call("failing", join(FILE, "../data/prices.csv"))).toMatchObject({
      ok: false,
      error: "can't read prices.csv: see https://example.org/a/b",
      place: placeOf("throw new Error", "new"),
    });
  });

  it("names the module without its folder if the function is missing", async () => {
    const outcome = await call("absent");

    expect(outcome).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^forgetful\.ts exports no function/),
    });
  });
});
