import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let folder: string;
let state: string;
let fixture: TestSandbox;
let webhook: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  state = join(folder, "world.jsonl");
  const settings = { retries_ms: [3_000], delays: { replay_ms: 5_000, replay_least_ms: 0 } };
  fixture = await startTestSandbox({ state, settings });
  webhook = await fixture.subscribed();
});
afterEach(async () => {
  await acceptWrites();
  await fixture.close();
  await rm(folder, { recursive: true, force: true });
});

/** Lets all writes of the sandbox's data fail, from the restore of a world on. */
async function refuseWrites(): Promise<void> {
  const world = await fixture.sandbox.control.get("/state");
  await rm(state, { force: true });
  await mkdir(state);
  await refused(fixture.sandbox.control.call("PUT", "/state", world));
}

const acceptWrites = (): Promise<void> => rm(state, { recursive: true, force: true });

const refused = (request: Promise<unknown>): Promise<void> =>
  expect(request).rejects.toThrow("The sandbox can't store its data: ");

const sayHello = (): Promise<unknown> =>
  fixture.sandbox.control.act(fixture.person, { type: "dm", to: fixture.bot, text: "hello" });

/** Returns a function that requests a replay of the period from 60 to 20 minutes before the sandbox's time. */
async function replayOfLastHour(): Promise<() => Promise<number>> {
  const { now } = await fixture.sandbox.control.clock();
  const ago = (minutes: number): string =>
    new Date(Date.parse(now) - minutes * 60_000)
      .toISOString()
      .replaceAll(/[-T:]/g, "")
      .slice(0, 12);
  const request = { webhook_id: webhook, from_date: ago(60), to_date: ago(20) };
  return async () => (await fixture.asApp("POST", "/2/webhooks/replay", request)).status;
}

it("a delivery that can't be stored before it is sent is tried again", async () => {
  await refuseWrites();
  await refused(sayHello());
  await refused(fixture.sandbox.control.advance(0));
  expect(fixture.received).toEqual([]);

  await acceptWrites();
  await fixture.sandbox.control.advance(3_000);

  expect(fixture.received).toHaveLength(1);
  const { deliveries } = await fixture.sandbox.control.get<{
    deliveries: { event: string; outcome: string }[];
  }>("/deliveries");
  const outcomes = deliveries.filter(({ event }) => event !== "crc").map(({ outcome }) => outcome);
  expect(outcomes).toEqual(["not_stored", "delivered"]);
});

it("a replay whose challenge can't be stored does not count as running", async () => {
  const replay = await replayOfLastHour();
  await refuseWrites();
  expect(await replay()).toBe(500);
  await acceptWrites();

  expect(await replay()).toBe(200);
});

it("a replay that can't be stored ends, and the sandbox continues", async () => {
  for (let count = 0; count < 3; count += 1) await sayHello();
  await fixture.sandbox.control.advance(40 * 60_000);
  fixture.received.length = 0;
  const replay = await replayOfLastHour();
  expect(await replay()).toBe(200);
  await refuseWrites();
  await refused(fixture.sandbox.control.advance(5_000));
  expect(fixture.received).toEqual([]);
  await acceptWrites();

  expect(await replay()).toBe(200);
  await fixture.sandbox.control.advance(5_000);

  expect(fixture.received.map(({ body }) => Object.keys(body)[0])).toContain("replay_job_status");
});
