import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { platformTime } from "../../../src/cli/target/platform-time.ts";
import { writeSandboxFile } from "../../../src/runtime/platform.ts";
import { startSandbox } from "../../../src/sandbox/index.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Maximum milliseconds between two readings of a clock in a test. */
const BETWEEN_MS = 60 * 60_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "platform-time-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Starts and stops a sandbox whose clock is moved ahead by 53 days. Returns the platform's time while it runs. */
async function runSandbox(): Promise<number> {
  const sandbox = await startSandbox({ state: join(folder, "world.jsonl") });
  const { id, username } = { id: "1", username: "hello_bot" };
  await writeSandboxFile(folder, {
    pid: process.pid,
    baseUrl: sandbox.url,
    adsBaseUrl: sandbox.url,
    controlUrl: `${sandbox.url}/_control`,
    controlToken: "",
    webhookUrl: "https://bot.example/webhook",
    app: { id, consumerKey: "k", consumerSecret: "s", bearerToken: "b" },
    bot: { id, username },
    people: [],
  });
  await sandbox.control.advance(53 * DAY_MS);
  const { now } = await sandbox.control.clock();
  await sandbox.close();
  return Date.parse(now);
}

it("the platform's time goes on by the clock of the stopped sandbox", async () => {
  const before = await runSandbox();
  const since = (await platformTime(folder)) - before;
  expect(since).toBeGreaterThanOrEqual(0);
  expect(since).toBeLessThan(BETWEEN_MS);
});

it("the platform's time is the machine's without a sandbox, and if its world is damaged", async () => {
  const isMachines = async () => Math.abs((await platformTime(folder)) - Date.now()) < BETWEEN_MS;
  expect(await isMachines()).toBe(true);
  await runSandbox();
  await writeFile(join(folder, "world.jsonl"), "{}\n");
  expect(await isMachines()).toBe(true);
});
