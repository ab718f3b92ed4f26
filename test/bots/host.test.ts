import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { BotLogLine, Handling } from "../../src/bots/messages.ts";
import type { BotHost } from "../../src/bots/bot-host.ts";
import { startBots } from "../../src/bots/host.ts";
import { WAIT_MS } from "../support/hang-limit.ts";
import { when } from "../support/when.ts";
import { messageReceived, postMentioned } from "../support/events.ts";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const troubled = file("../fixtures/bots/troubled.ts");

const handling = (text: string): Handling => ({
  bot: "troubled",
  triggers: ["dm.received"],
  event: messageReceived({ text }),
  account: { id: "100", username: "hello_bot" },
  now: 0,
  replayed: false,
  answered: false,
});

/** Returns the outcome of the message `text`, and the answer to the next message. */
async function outcomeAndNext(host: BotHost, text: string) {
  const { error, actions } = await host.handle(handling(text));
  return { error, actions: actions.length, next: (await host.handle(handling("after"))).actions };
}

/** Expected result of a handler that fails with `error`, while the next message is answered. */
const failedAlone = (error: string, actions: number) => ({
  error: expect.stringContaining(error),
  actions,
  next: [expect.objectContaining({ text: "you said after" })],
});

it("returns the maximum age of events for each bot that sets one", async () => {
  const files = [file("../fixtures/bots/aged.ts"), file("../fixtures/bots/ageless.ts")];
  const host = await startBots({ patienceMs: WAIT_MS, files });

  expect(host.bots.map(({ name, maxAgeMs }) => [name, maxAgeMs])).toEqual([["aged", 7_200_000]]);
  expect(host.faults[0]?.message).toContain(
    'the maxAge of the bot "ageless" is a duration longer than 0 such as "6h", or "none", got "two hours"',
  );
  await host.close();
});

describe("bots in their thread", () => {
  const lines: BotLogLine[] = [];
  const onLog = (line: BotLogLine): void => void lines.push(line);
  // Each host has only one short limit. With two, a busy machine would decide which limit is reached first.
  let host: BotHost;
  let hasty: BotHost;
  let watchful: BotHost;
  beforeAll(async () => {
    const limits = { patienceMs: WAIT_MS, handlerTimeoutMs: WAIT_MS, stallMs: WAIT_MS, onLog };
    const files = [troubled, file("../../bots/dice.ts"), file("../fixtures/bots/no-bot.ts")];
    [host, hasty, watchful] = await Promise.all([
      startBots({ ...limits, files }),
      startBots({ ...limits, files: [troubled], handlerTimeoutMs: 1_500 }),
      startBots({ ...limits, files: [troubled], stallMs: 1_000 }),
    ]);
  });
  afterAll(() => Promise.all([host, hasty, watchful].map((one) => one.close())));

  it("lists the loaded bots, and the reason for each that could not be loaded", () => {
    expect(host.bots.map((bot) => [bot.name, bot.triggers])).toEqual([
      ["troubled", ["dm.received", "post.mentioned"]],
      ["dice", ["dm.received"]],
    ]);
    expect(host.faults).toHaveLength(1);
    expect(host.faults[0]?.message).toContain("export default defineBot(");
  });

  it("answers a message with a message, and logs under the bot's name", async () => {
    const outcome = await host.handle(handling("hello"));

    expect(outcome.actions).toEqual([{ type: "reply_dm", to: "200", text: "you said hello" }]);
    expect(lines.at(-1)).toMatchObject({
      bot: "troubled",
      message: "heard",
      fields: { text: "hello" },
    });
  });

  it("logs a run that fails because no bot has its name", async () => {
    // A broken module of the other host may have a bot of any name.
    const missing = { ...handling("hello"), bot: "missing" };
    const outcome = await hasty.handle(missing);

    expect(outcome).toEqual({ actions: [], error: 'no bot named "missing" is loaded' });
    expect(lines.at(-1)).toMatchObject({
      level: "error",
      bot: "missing",
      key: missing.event.key,
      message: 'no bot named "missing" is loaded, so its run has failed',
    });
  });

  it("answers a mention with a reply post", async () => {
    const outcome = await host.handle({
      ...handling(""),
      triggers: ["post.mentioned"],
      event: postMentioned({ id: "9001" }),
    });

    expect(outcome.actions).toEqual([
      { type: "reply_post", inReplyTo: "9001", to: "200", text: "hello @ana" },
    ]);
  });

  it("rolls the same dice for the same message", async () => {
    const roll = { ...handling("roll 2d6"), bot: "dice" };

    const [first, second] = [await host.handle(roll), await host.handle(roll)];

    expect(first.actions[0]).toMatchObject({
      text: expect.stringMatching(/^You rolled \d \+ \d = \d+\.$/),
    });
    expect(second).toEqual(first);
  });

  it.each([
    { text: "throw", error: "on purpose", actions: 0, why: "nothing was asked for before" },
    {
      text: "reply then throw",
      error: "after the reply",
      actions: 1,
      why: "an accepted reply goes out",
    },
    { text: "empty", error: "1 character or more", actions: 0, why: "an empty reply is a mistake" },
    { text: "throw nothing", error: "{}", actions: 0, why: "anything can be thrown" },
    { text: "throw a word", error: "a word", actions: 0, why: "a text is no Error" },
    { text: "exit", error: "can't end the process", actions: 0, why: "it is not its process" },
    { text: "no action", error: "is not an action", actions: 0, why: "there is no such action" },
    { text: "eager", error: "100 actions at most", actions: 100, why: "it never stops asking" },
  ])("fails only the handler on $text: $why", async ({ text, error, actions }) => {
    expect(await outcomeAndNext(host, text)).toEqual(failedAlone(error, actions));
  });

  it.each([
    { text: "slow", actions: 0, why: "it never ends" },
    {
      text: "reply then slow",
      actions: 1,
      why: "an accepted reply goes out, however long the rest takes",
    },
  ])("fails only the handler on $text: $why", async ({ text, actions }) => {
    expect(await outcomeAndNext(hasty, text)).toEqual(failedAlone("longer than 1500 ms", actions));
  });

  it("fails only the handler on loop: it blocks its thread", async () => {
    expect(await outcomeAndNext(watchful, "loop")).toEqual(failedAlone("was restarted", 0));
  });

  it.each([
    { text: "stray rejection", says: "nobody waits for this" },
    { text: "stray exception", says: "nobody catches this" },
  ])("logs a $text under the bot's name, and handlers under way go on", async ({ text, says }) => {
    const other = host.handle(handling("wait for it"));
    const outcome = await host.handle(handling(text));

    expect(outcome).toMatchObject({ actions: [{ text: `you said ${text}` }] });
    await expect(other).resolves.toMatchObject({ actions: [{ text: "you said wait for it" }] });
    expect(lines.find(({ message }) => message.includes(says))).toMatchObject({
      level: "error",
      bot: "troubled",
      key: handling("").event.key,
    });
  });

  it("fails only the handler that blocks the thread: the others are handled again", async () => {
    const texts = ["wait one", "loop", "wait two", "wait three"];
    const outcomes = await Promise.all(texts.map((text) => watchful.handle(handling(text))));

    expect(outcomes[1]?.error).toContain("was restarted");
    for (const i of [0, 2, 3]) {
      expect(outcomes[i]?.actions).toMatchObject([{ text: `you said ${texts[i]}` }]);
    }
  });

  it("ignores actions of a handler whose time is over", async () => {
    const outcome = await hasty.handle(handling("late"));
    const refused = await when(() => lines.find(({ message }) => message.startsWith("refused:")));

    expect(refused.message).toContain("took longer than 1500 ms");
    expect(outcome.actions).toEqual([]);
  });

  it("keeps a flood of log lines out of the log, and reports this once", async () => {
    const event = messageReceived({ id: "5002", text: "chatty" });
    await host.handle({ ...handling("chatty"), event });

    const said = lines.filter(({ key }) => key === event.key).map(({ message }) => message);
    expect(said).toHaveLength(101);
    expect(said.at(-1)).toContain("the rest is dropped");
  });

  it("logs the readable part of fields that are not plain data, and continues", async () => {
    await expect(host.handle(handling("odd fields"))).resolves.toMatchObject({
      actions: [{ text: "you said odd fields" }],
    });
  });

  it("refuses events once it is closed, so that the next host handles them", async () => {
    const closing = await startBots({ patienceMs: WAIT_MS, files: [troubled] });
    const underWay = closing.handle(handling("slow")).catch(String);
    await closing.close();

    expect(await underWay).toContain("stopping");
    await expect(closing.handle(handling("hi"))).rejects.toThrow("stopping");
  });

  it("leaves out modules that can't be loaded, each with its reason, and runs the others", async () => {
    const names = ["exits", "loops", "throws"].map((what) => `${what}-at-load`);
    const files = names.map((name) => file(`../fixtures/bots/${name}.ts`));
    const some = await startBots({
      patienceMs: WAIT_MS,
      files: [...files, troubled],
      loadCpuMs: 2_000,
    });

    expect(some.bots.map(({ name }) => name)).toEqual(["troubled"]);
    const messageByFile = new Map(some.faults.map(({ file: at, message }) => [at, message]));
    expect(messageByFile.get(files[0] ?? "")).toContain("can't end the process");
    expect(messageByFile.get(files[1] ?? "")).toContain(
      "not loaded within 2000 ms of processor time",
    );
    expect(messageByFile.get(files[2] ?? "")).toContain("not today");
    await some.close();
  });

  it("loads a bot from a folder whose package.json does not name a module type", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bots-"));
    await mkdir(join(folder, "node_modules"));
    await symlink(file("../.."), join(folder, "node_modules", "answerback"), "dir");
    await writeFile(
      join(folder, "plain.ts"),
      'import { defineBot } from "answerback";\n' +
        'export default defineBot({ name: "plain", on: { "dm.received": (ctx) => ctx.reply("plainly") } });\n',
    );
    const plain = await startBots({ patienceMs: WAIT_MS, files: [join(folder, "plain.ts")] });

    expect(plain.faults).toEqual([]);
    await expect(plain.handle({ ...handling("hi"), bot: "plain" })).resolves.toMatchObject({
      actions: [{ text: "plainly" }],
    });
    await plain.close();
    await rm(folder, { recursive: true });
  });

  it.each([
    { name: "huge", error: "2000002 characters" },
    {
      name: "unclonable",
      error: "the result of troubled.ts#unclonable is a function: give plain data",
    },
    { name: "circular", error: "has at .self something that holds itself" },
  ])("fails a call whose result is $name", async ({ name, error }) => {
    const step = { module: troubled, export: name, input: null, event: messageReceived() };

    await expect(host.call(step)).resolves.toEqual({
      ok: false,
      error: expect.stringContaining(error),
    });
  });

  it.each([
    { name: "map", error: "has at .sizes a Map" },
    { name: "error", error: "is an Error" },
    { name: "number", error: "has at .prices[1] the number NaN" },
    { name: "big", error: "is a bigint" },
    { name: "bytes", error: "is a Uint8Array" },
    { name: "order", value: [{ id: 17, at: "1970-01-01T00:00:00.000Z" }, null, {}] },
    { name: "match", value: ["ab", "b"] },
    { name: "nothing", value: null },
  ])("converts or refuses the result of a call: $name", async ({ name, error, value }) => {
    const input = { name };
    const step = { module: troubled, export: "result", input, event: messageReceived() };
    const says = `the result of troubled.ts#result ${error}: give plain data, as JSON has it`;

    expect(await host.call(step)).toEqual(
      error === undefined ? { ok: true, value } : { ok: false, error: says },
    );
  });

  it("aborts a function whose run has ended in another way", async () => {
    const step = { module: troubled, export: "patient", input: null, event: messageReceived() };
    const before = lines.length;
    const printed = (text: string) =>
      when(() => lines.slice(before).find(({ message }) => message === text));
    const aborting = new AbortController();
    const called = host.call(step, aborting.signal);
    await printed("patient begins");

    aborting.abort(new Error("the run has moved on without this step"));

    await expect(called).rejects.toThrow("the run has moved on without this step");
    await printed("patient ends: the run has moved on without this step");
  });

  it("does not end a call with a time limit of 30 days at once", async () => {
    const event = messageReceived();
    const timeoutMs = 30 * 24 * 60 * 60_000;
    const step = { module: troubled, export: "patient", input: null, event, timeoutMs };
    const before = lines.length;
    const printed = (begin: string) =>
      when(() => lines.slice(before).find(({ message }) => message.startsWith(begin)));
    const aborting = new AbortController();
    const called = host.call(step, aborting.signal);
    await printed("patient begins");

    aborting.abort(new Error("aborted by the caller"));

    await expect(called).rejects.toThrow("aborted by the caller");
    expect((await printed("patient ends")).message).toBe("patient ends: aborted by the caller");
  });

  it("runs the function that a rule calls, and reports a missing one", async () => {
    const step = { module: troubled, export: "double", input: { n: 21 }, event: messageReceived() };

    await expect(host.call(step)).resolves.toEqual({ ok: true, value: { twice: 42 } });
    await expect(host.call({ ...step, export: "triple" })).resolves.toMatchObject({
      ok: false,
      error: expect.stringContaining('exports no function "triple"'),
    });
  });
});

describe("a module that rules call", () => {
  let folder: string;
  let host: BotHost;
  const at = (name: string): string => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "answerback-calls-"));
    for (const name of ["project/a.mjs", "project/.hidden.mjs", "outside/a.mjs"]) {
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), "globalThis.isLoaded = true; export const f = () => 1;\n");
    }
    await writeFile(
      at("project/loaded.mjs"),
      "export const f = () => globalThis.isLoaded ?? false;\n",
    );
    await symlink(at("outside/a.mjs"), at("project/link.mjs"));
    await symlink("a.mjs", at("project/own link.mjs"));
    host = await startBots({ files: [], callsWithin: [at("project")] });
  });
  afterAll(async () => {
    await host.close();
    await rm(folder, { recursive: true });
  });
  const call = (name: string, by = host) =>
    by.call({ module: at(name), export: "f", input: null, event: messageReceived() });

  it("may wait longer for its imports than a handler may block", async () => {
    const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);";
    await writeFile(at("project/slow.mjs"), `${wait}\nexport const f = () => "done";\n`);
    await writeFile(at("project/blocking.mjs"), `export const f = () => { ${wait} };\n`);
    const strict = await startBots({ files: [], callsWithin: [at("project")], stallMs: 300 });
    onTestFinished(() => strict.close());

    expect(await call("project/slow.mjs", strict)).toEqual({ ok: true, value: "done" });
    expect(await call("project/blocking.mjs", strict)).toMatchObject({
      ok: false,
      error: expect.stringContaining("it gave its thread no turn"),
    });
  });

  it.each([
    { name: "outside/a.mjs", error: "a.mjs lies outside the project" },
    { name: "project/link.mjs", error: "link.mjs lies outside the project" },
    { name: "project/.hidden.mjs", error: ".hidden.mjs is hidden" },
  ])("is not loaded: $name", async ({ name, error }) => {
    await expect(call(name)).resolves.toEqual({ ok: false, error: expect.stringContaining(error) });
    await expect(call("project/loaded.mjs")).resolves.toEqual({ ok: true, value: false });
  });

  it.each(["project/a.mjs", "project/own link.mjs"])("is called: %s", async (name) => {
    await expect(call(name)).resolves.toEqual({ ok: true, value: 1 });
  });
});
