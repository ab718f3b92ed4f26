import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "../postgres/server.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const PRELOAD = pathToFileURL(
  join(import.meta.dirname, "../fixtures/preload/hang-store-thread.mjs"),
);

let bot: BotOnSandbox;
let server: TestPostgres | undefined;
afterEach(async () => {
  await bot.close();
  await server?.thaw();
  await server?.stop();
  server = undefined;
});

const HANGS = { part: "store", reason: "the store has answered nothing for 800 ms" };

/**
 * Polls `/readyz` until it responds with this status within a second.
 *
 * @returns The parts of the bot that the response names as missing.
 */
async function readyzWith(status: number): Promise<unknown> {
  const text = await when(async () => {
    const askedAt = performance.now();
    const ready = await bot.ready();
    const isInTime = performance.now() - askedAt < 1_000;
    return isInTime && ready?.status === status ? ready.text : undefined;
  });
  const { missing }: { readonly missing: unknown } = JSON.parse(text);
  return missing;
}

describe("answers /readyz with 503 within a second while the store hangs, and with 200 after that:", () => {
  it("a suspended PostgreSQL server", async () => {
    const own = await startPostgres({ durable: true });
    server = own;
    bot = await botOnSandbox({ database: await own.createDatabase() });
    await bot.start();
    await readyzWith(200);

    await own.freeze();
    expect(await readyzWith(503)).toEqual([HANGS]);

    await own.thaw();
    await readyzWith(200);
  });

  it("a suspended thread of SQLite", async () => {
    bot = await botOnSandbox({ env: { NODE_OPTIONS: `--import ${PRELOAD.href}` } });
    await bot.startProcess();
    await readyzWith(200);

    bot.signal("SIGUSR2");
    expect(await readyzWith(503)).toEqual([HANGS]);

    bot.signal("SIGUSR2");
    await readyzWith(200);
  });
});
