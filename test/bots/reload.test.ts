import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BotHost } from "../../src/bots/bot-host.ts";
import { startBots } from "../../src/bots/host.ts";
import { filesOfModules } from "../../src/bots/loading/compile-modules.ts";
import type { Handling } from "../../src/bots/messages.ts";
import { openLog } from "../../src/runtime/log.ts";
import { openBotsInForce } from "../../src/runtime/reload/bots-in-force.ts";
import { messageReceived } from "../support/events.ts";
import { WAIT_MS } from "../support/hang-limit.ts";
import { when } from "../support/when.ts";

let folder: string;
let host: BotHost | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "reload-"));
});
afterEach(async () => {
  await host?.close();
  host = undefined;
  await rm(folder, { recursive: true });
});

const path = (name: string): string => join(folder, `${name}.mjs`);
/** Writes a module with a bot that answers every message with `says`. */
const save = (name: string, says: string, before = ""): Promise<void> =>
  writeFile(
    path(name),
    `${before}
export default { name: "${name}", on: { "dm.received": async (ctx) => {
  if (ctx.event.message.text === "slow") await new Promise((r) => setTimeout(r, 700));
  await ctx.reply(${JSON.stringify(says)});
} } };`,
  );
const start = async (...names: readonly string[]): Promise<BotHost> => {
  host = await startBots({
    patienceMs: WAIT_MS,
    files: names.map(path),
    callsWithin: [dirname(path("one"))],
  });
  return host;
};
const handling = (bot: string, text = "hi"): Handling => ({
  bot,
  triggers: ["dm.received"],
  event: messageReceived({ text }),
  account: { id: "100", username: "hello_bot" },
  now: 0,
  replayed: false,
  answered: false,
});
const says = async (bot: string, text?: string): Promise<string> => {
  const { actions, error } = (await host?.handle(handling(bot, text))) ?? { actions: [] };
  return actions.map((one) => ("text" in one ? one.text : "")).join() || String(error);
};

describe("reloaded bots", () => {
  it("run their new code; handlers in progress end with the old code", async () => {
    await save("one", "before");
    const running = await start("one");
    const slow = says("one", "slow");
    await save("one", "after");

    expect(await running.reload([path("one")])).toEqual({ keptBots: [], faults: [] });
    expect(await says("one")).toBe("after");
    expect(await slow).toBe("before");
  });

  it("continue unchanged while their module is broken, until it is fixed", async () => {
    await save("one", "one before");
    await save("two", "two before");
    const running = await start("one", "two");
    await save("one", "one after", "throw new Error('half saved');");
    await save("two", "two after");
    const broken = await running.reload([path("one"), path("two")]);

    expect(broken.keptBots).toEqual(["one"]);
    expect(broken.faults.map(({ file, message }) => [file, message.split("\n")[0]])).toEqual([
      [path("one"), "Error: half saved"],
    ]);
    expect([await says("one"), await says("two")]).toEqual(["one before", "two after"]);
    await save("one", "one after");
    expect(await running.reload([path("one"), path("two")])).toEqual({ keptBots: [], faults: [] });
    expect(await says("one")).toBe("one after");
  });

  it("appear and disappear with their files", async () => {
    await save("one", "one");
    await save("two", "two");
    const running = await start("one");
    await running.reload([path("two")]);

    expect(running.bots.map(({ name }) => name)).toEqual(["two"]);
    expect([await says("one"), await says("two")]).toEqual(['no bot named "one" is loaded', "two"]);
  });

  it("include modules that rules call", async () => {
    const module = path("orders");
    const step = { module, export: "look", input: null, event: messageReceived({ text: "hi" }) };
    await writeFile(module, "export const look = () => 'before';");
    const running = await start();
    const before = await running.call(step);
    await writeFile(module, "export const look = () => 'after';");
    await running.reload([]);

    expect([before, await running.call(step)]).toEqual([
      { ok: true, value: "before" },
      { ok: true, value: "after" },
    ]);
  });

  it("are called at once, even if they were suspended for earlier faults", async () => {
    await writeFile(
      path("one"),
      `export default { name: "one", on: { "dm.received": () => { for (;;); } } };`,
    );
    host = await startBots({
      patienceMs: WAIT_MS,
      files: [path("one")],
      stallMs: 300,
      handlerTimeoutMs: WAIT_MS,
      suspensions: { free: 0, now: () => 0 },
    });
    await says("one");
    expect(host.trouble("one")?.asideMs).toBeGreaterThan(0);
    await save("one", "better now");
    await host.reload([path("one")]);

    expect(await says("one")).toBe("better now");
    expect(host.trouble("one")?.asideMs).toBe(0);
  });
});

describe("bot modules in a watched folder", () => {
  it("are reloaded if one of them or a module beside it changes", async () => {
    const lines: string[] = [];
    await writeFile(path("words"), "export const word = 'before';");
    await writeFile(
      path("one"),
      `import { word } from "./words.mjs";
export default { name: "one", on: { "dm.received": (ctx) => ctx.reply(word) } };`,
    );
    const running = await start("one");
    const reload = running.reload.bind(running);
    const inForce = await openBotsInForce({
      find: async () => [path("one")],
      findUsed: filesOfModules,
      log: openLog({ level: "silent" }),
      host: {
        get bots() {
          return running.bots;
        },
        loading: [],
        reload: (files) => {
          lines.push("loaded");
          return reload(files);
        },
      },
    });
    await inForce.reloadChanged();
    expect(lines).toEqual([]);
    await writeFile(path("words"), "export const word = 'after';");
    await inForce.reloadChanged();

    expect(lines).toEqual(["loaded"]);
    expect(await when(async () => ((await says("one")) === "after" ? "after" : undefined))).toBe(
      "after",
    );
    expect(await inForce.reload()).toEqual({ count: 1, kept: [], problems: [] });
  });
});
