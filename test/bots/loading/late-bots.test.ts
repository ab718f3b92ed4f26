import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BotHost, BotHostOptions } from "../../../src/bots/bot-host.ts";
import { startBots } from "../../../src/bots/host.ts";
import type { BotLogLine, Handling } from "../../../src/bots/messages.ts";
import { messageReceived } from "../../support/events.ts";
import { NOBODY_ANSWERS } from "../../support/nobody-answers.ts";
import { handTicking } from "../../support/hand-ticking.ts";
import { when } from "../../support/when.ts";

let folder: string;
let host: BotHost | undefined;
let now: number;
let lines: BotLogLine[];
const { ticking, advance } = handTicking();
const pass = (ms: number): void => {
  now += ms;
  advance(ms);
};

/** Open responses to modules that send a request at their top level. The test decides when to end them. */
const asking: ServerResponse[] = [];
const service = createServer((_, response) => void asking.push(response));
let connect: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "late-"));
  now = Date.UTC(2026, 0, 1);
  lines = [];
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const address = service.address();
  const port = typeof address === "object" ? address?.port : undefined;
  connect = `await fetch("http://127.0.0.1:${port}/");`;
});
afterEach(async () => {
  await host?.close();
  for (const response of asking.splice(0)) response.end();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  await rm(folder, { recursive: true });
});

const path = (name: string): string => join(folder, `${name}.mjs`);
/** Writes a module with a bot that answers with its name, or with `says`. */
const save = (name: string, before = "", says = name): Promise<void> =>
  writeFile(
    path(name),
    `${before}
export default { name: "${name}", on: { "dm.received": (ctx) => ctx.reply("${says}") } };`,
  );
const start = (names: readonly string[], more: Partial<BotHostOptions> = {}): Promise<BotHost> =>
  startBots({
    files: names.map(path),
    now: () => now,
    ticking,
    onLog: (line) => lines.push(line),
    ...more,
  }).then((started) => (host = started));
/**
 * Advances time, a second at a time, until the promise settles. One step may not suffice: the wait for a module begins
 * when its thread reports the load, perhaps after the module's request.
 */
const passUntil = async <T>(ended: Promise<T>): Promise<T> => {
  let hasEnded = false;
  const passing = when(() => {
    if (!hasEnded) pass(1_000);
    return hasEnded ? true : undefined;
  });
  try {
    return await ended;
  } finally {
    hasEnded = true;
    await passing;
  }
};
/** Starts bots, of which one waits for a response while it loads. Advances time until the start goes on without it. */
const startLate = async (names: readonly string[], more: Partial<BotHostOptions> = {}) => {
  const starting = start(names, more);
  await when(() => (asking.length > 0 ? true : undefined));
  return passUntil(starting);
};
const connected = (): void => {
  for (const response of asking.splice(0)) response.end("ok");
};
const handling = (bot: string): Handling => ({
  bot,
  triggers: ["dm.received"],
  event: messageReceived({ text: "hi" }),
  account: { id: "100", username: "hello_bot" },
  now: 0,
  replayed: false,
  answered: false,
});
const saysOf = async (bot: string): Promise<string> => {
  const { actions, error } = (await host?.handle(handling(bot))) ?? { actions: [] };
  return actions.map((one) => ("text" in one ? one.text : "")).join() || String(error);
};
const said = (text: string) => when(() => lines.find(({ message }) => message.includes(text)));

describe("a bot module that waits at its top level", () => {
  it("is loaded in the end: until then it is reported, and its events wait", async () => {
    await save("slow", connect);
    const since = now;
    const { loading, faults } = await startLate(["slow"]);

    expect(loading).toEqual([{ file: path("slow"), since }]);
    expect(faults).toEqual([]);
    await said("is still being loaded");
    const answer = saysOf("slow");
    connected();

    expect(await answer).toBe("slow");
    expect(host?.bots.map(({ name }) => name)).toEqual(["slow"]);
    expect(host?.loading).toEqual([]);
    await said("bot slow is loaded now");
  });

  it("delays neither other threads nor a bot that shares its thread", async () => {
    const others = ["b", "c", "d", "e"];
    await save("slow", connect);
    for (const name of others) await save(name);
    const starting = start(["slow", ...others]);
    await when(() => (asking.length > 0 ? true : undefined));
    await passUntil(starting);

    // A bot that shares the thread of the slow module is loaded again, once the wait for that module is over.
    expect(await passUntil(Promise.all(others.map(saysOf)))).toEqual(others);
    const answer = saysOf("slow");
    await when(() => (asking.length > 1 ? true : undefined));
    connected();
    expect(await answer).toBe("slow");
  });

  it("is reported like other faults if it throws in the end", async () => {
    await save("slow", `${connect} throw new Error("refused there");`);
    await startLate(["slow"]);
    connected();

    expect((await said("bot not loaded")).level).toBe("error");
    expect(host?.faults.map(({ message }) => message.split("\n")[0])).toEqual([
      "Error: refused there",
    ]);
  });

  it("does not make a name wait that belongs to another module", async () => {
    await save("slow", connect);
    const remembered = [{ name: "slow", file: path("slow"), triggers: ["dm.received"] as const }];
    await startLate(["slow"], { remembered });

    expect(await saysOf("gone")).toBe('no bot named "gone" is loaded');
    expect(host?.bots).toEqual(remembered);
  });

  it("does not prevent the host from closing", async () => {
    await save("slow", connect);
    const { close } = await startLate(["slow"]).then((late) => ({ close: () => late.close() }));
    const answer = saysOf("slow").catch(String);
    await close();

    expect(await answer).toContain("the runtime is stopping");
  });

  it("replaces the earlier bot once it is loaded again", async () => {
    await save("slow", "", "before");
    await start(["slow"]);
    await save("slow", connect, "after");
    const reloading = host?.reload([path("slow")]);
    await when(() => (asking.length > 0 ? true : undefined));

    expect(await passUntil(Promise.resolve(reloading))).toEqual({ keptBots: [], faults: [] });
    expect(await saysOf("slow")).toBe("before");
    connected();
    await said("bot slow is loaded now");
    expect(await saysOf("slow")).toBe("after");
  });
});

describe("a bot module that fails", () => {
  const remembered = (...names: readonly string[]) =>
    names.map((name) => ({ name, file: path(name), triggers: ["dm.received"] as const }));

  it("is loaded again later, and what its bot has to do waits for that", async () => {
    await save("broken", 'throw new Error("no database");');
    await save("well");
    await start(["broken", "well"], { remembered: remembered("broken") });

    expect(host?.bots.map(({ name }) => name)).toEqual(["broken", "well"]);
    expect((await said("no database")).message).toMatch(/\ntried again in 60 s$/);
    expect(await saysOf("well")).toBe("well");
    const answer = saysOf("broken");
    expect((await said("its runs wait")).message).toBe(
      "broken is not loaded; its runs wait until it is",
    );
    const leaving = new AbortController();
    const support = { keep: async () => [], read: async () => ({ version: 0 }), ...NOBODY_ANSWERS };
    const abandoned = host
      ?.handle(handling("broken"), { ...support, signal: leaving.signal })
      .catch(String);
    leaving.abort(new Error("the run has ended"));
    pass(60_000);
    await said("tried again in 120 s");
    await save("broken");
    pass(120_000);

    expect(await answer).toBe("broken");
    expect(await abandoned).toBe("Error: the run has ended");
    expect(lines.filter(({ message }) => message.includes("its runs wait"))).toHaveLength(1);
    expect((await said("2 runs waited")).level).toBe("info");
    expect(host?.faults).toEqual([]);
    expect(host?.loading).toEqual([]);
  });

  it("is logged once, even if all modules are loaded again", async () => {
    await save("broken", 'throw new Error("no database");');
    await save("well");
    await start(["broken", "well"]);
    await host?.reload(["broken", "well"].map(path));

    expect(lines.filter(({ message }) => message.includes("no database"))).toHaveLength(1);
    expect(host?.faults).toHaveLength(1);
    await save("broken");
    await host?.reload(["broken", "well"].map(path));
    await save("broken", 'throw new Error("no database");');
    await host?.reload(["broken", "well"].map(path));
    expect(lines.filter(({ message }) => message.includes("no database"))).toHaveLength(2);
  });

  it("is loaded by a reload, too", async () => {
    await save("broken", "this is no JavaScript");
    await start(["broken"], { remembered: remembered("broken") });
    const answer = saysOf("broken");
    await said("its runs wait");
    await save("broken");
    await host?.reload([path("broken")]);

    expect(await answer).toBe("broken");
  });

  it("lets a run fail once its module has been removed", async () => {
    await save("broken", "this is no JavaScript");
    await start(["broken"], { remembered: remembered("broken") });
    const answer = saysOf("broken");
    await said("its runs wait");
    await host?.reload([]);

    expect(await answer).toBe('no bot named "broken" is loaded');
    // Nothing waited for a bot that is back under the name.
    await save("broken");
    await host?.reload([path("broken")]);
    expect(lines.filter(({ message }) => message.includes("waited for"))).toEqual([]);
  });

  it.each([
    { how: "is loaded again", fixed: true },
    { how: "fails again", fixed: false },
  ])("starts no run for an event that has become too old when it $how", async ({ fixed }) => {
    await save("broken", "this is no JavaScript");
    await start(["broken"], { remembered: remembered("broken") });
    const event = { ...handling("broken").event, at: now };
    const fresh = host?.handle({ ...handling("broken"), event });
    const begun = host?.handle({ ...handling("broken"), event, record: [] });
    now += 30 * 24 * 60 * 60_000;
    if (fixed) await save("broken");
    pass(60_000);

    expect(await fresh).toEqual({
      actions: [],
      error: "the event became older than the maxAge of broken while this bot could not be loaded",
    });
    if (!fixed) await save("broken");
    if (!fixed) await host?.reload([path("broken")]);
    // A run that had begun continues.
    expect((await begun)?.actions).toHaveLength(1);
  });

  it.each([
    { what: "its thread is restarted", broken: 'throw new Error("no database");' },
    { what: "its thread is restarted, and ends it", broken: "process.exit(1);" },
  ])("is waited for after $what", async ({ broken }) => {
    await writeFile(
      path("frail"),
      `export default { name: "frail", on: { "dm.received": () => { for (;;); } } };`,
    );
    await save("other");
    await start(["frail", "other"], { stallMs: 300 });
    await save("frail", broken);
    expect(await saysOf("frail")).toContain("its thread was restarted");
    const answer = saysOf("frail");
    await said("tried again in 60 s");
    expect(await saysOf("other")).toBe("other");
    await save("frail");
    pass(60_000);

    expect(await answer).toBe("frail");
    expect(host?.faults).toEqual([]);
  });
});

describe("a bot module that loops", () => {
  // the module loops until this file exists
  const loop = (): string => `import { existsSync } from "node:fs";
while (!existsSync(${JSON.stringify(join(folder, "enough"))}));`;

  it("is left out because of its own processor time, reported, and loaded later", async () => {
    await save("loops", loop());
    await save("well");
    const starting = start(["loops", "well"], { loadCpuMs: 300 });
    const limit = setInterval(() => advance(100), 20);
    const line = await said("tried again in 60 s");
    clearInterval(limit);
    await starting;

    expect(line.message).toBe(
      "bot not loaded: not loaded within 300 ms of processor time; tried again in 60 s",
    );
    expect(await saysOf("well")).toBe("well");
    expect(host?.faults).toEqual([
      {
        file: path("loops"),
        message: expect.stringContaining("300 ms of processor time; tried again at 2026-"),
      },
    ]);
    const answer = saysOf("loops");
    await writeFile(join(folder, "enough"), "");
    pass(61_000);

    expect(await answer).toBe("loops");
    expect(host?.faults).toEqual([]);
  }, 120_000);

  it("waits longer before each further attempt", async () => {
    await save("loops", loop());
    const starting = start(["loops"], { loadCpuMs: 100 });
    const limit = setInterval(() => advance(100), 20);
    await said("tried again in 60 s");
    // also advances the clock past the pause of 60 s; stops at once afterwards, so that no third attempt begins
    await when(() => {
      const line = lines.find(({ message }) => message.includes("tried again in 120 s"));
      if (line === undefined) advance(60_000);
      return line;
    });
    clearInterval(limit);
    await starting;

    expect(host?.loading.map(({ failed }) => failed?.reason)).toEqual([
      "not loaded within 100 ms of processor time",
    ]);
  }, 120_000);
});
