import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

const DAY = 86_400_000;
const settings = { retries_ms: [3_000] };

let folder: string;
let state: string;
let first: TestSandbox;
let next: RunningSandbox | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  state = join(folder, "world.jsonl");
  first = await startTestSandbox({ state, settings });
  await first.subscribed();
});
afterEach(async () => {
  await next?.close();
  next = undefined;
  await first.close();
  await rm(folder, { recursive: true, force: true });
});

it("a set-back of the clock before a restart does not prolong the wait for a retry", async () => {
  const { control } = first.sandbox;
  first.answers.statuses = [500];
  await control.act(first.person, { type: "dm", to: first.bot, text: "hello" });
  await first.idle();
  const { now } = await control.get<{ now: string }>("/clock");
  await control.post("/clock", { set: new Date(Date.parse(now) - 10 * DAY).toISOString() });
  await first.sandbox.close();

  next = await startSandbox({ state, settings });
  expect(first.received).toEqual([]);
  await next.control.advance(3_000);

  expect(first.received).toHaveLength(1);
});
