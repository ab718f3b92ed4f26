import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type FollowedClock,
  followSandboxClock,
} from "../../../src/runtime/clock/sandbox-clock.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { startSandbox } from "../../../src/sandbox/index.ts";
import {
  send,
  signed,
  startTestSandbox,
  type TestSandbox,
} from "../../sandbox/support/test-sandbox.ts";
import { when } from "../../support/when.ts";

const log = openLog({ level: "silent" });
const NOW = Date.UTC(2026, 0, 1);

it("shows the sandbox's time and reports each jump", async () => {
  const sandbox = await startSandbox({ clock: { now: NOW, frozen: true } });
  const { control } = sandbox;
  const clock = await followSandboxClock({ url: control.url, token: control.token }, log);
  const jumps: number[] = [];
  const stop = clock.onJump(() => jumps.push(clock.now()));

  expect(clock.now()).toBe(NOW);
  // Opening the connection to the sandbox's clock reports one jump. Every later jump is reported, too.
  await when(() => (jumps.length > 0 ? true : undefined));
  await control.advance(60_000);
  await when(() => (clock.now() === NOW + 60_000 ? true : undefined));
  stop();
  const seen = jumps.length;
  await control.advance(1_000);
  await when(() => (clock.now() === NOW + 61_000 ? true : undefined));

  expect(jumps.at(-1)).toBe(NOW + 60_000);
  expect(jumps).toHaveLength(seen);
  clock.close();
  await sandbox.close();
});

it("reports when it was set back, also before this process began", async () => {
  const sandbox = await startSandbox({ clock: { now: NOW, frozen: true } });
  const { control } = sandbox;
  await control.setClock(new Date(NOW - 60_000).toISOString());
  const clock = await followSandboxClock({ url: control.url, token: control.token }, log);
  const first = { n: 1, was: NOW, to: NOW - 60_000 };
  expect(clock.setBacks()).toEqual([first]);

  const connected = new Promise<void>((resolve) => clock.onJump(resolve));
  await connected;
  await control.advance(30_000);
  await control.setClock(new Date(NOW - 90_000).toISOString());
  await when(() => (clock.now() === NOW - 90_000 ? true : undefined));
  expect(clock.setBacks()).toEqual([first, { n: 2, was: NOW - 30_000, to: NOW - 90_000 }]);

  clock.close();
  await sandbox.close();
});

describe("while the clock is moved past due times", () => {
  const DAY = 86_400_000;
  let fixture: TestSandbox;
  let clock: FollowedClock;
  beforeEach(async () => {
    fixture = await startTestSandbox({
      clock: { now: NOW, frozen: true },
      settings: { retries_ms: [DAY, DAY] },
    });
    const { url, token } = fixture.sandbox.control;
    clock = await followSandboxClock({ url, token }, log);
    await fixture.subscribed();
    const connected = new Promise<void>((resolve) => clock.onJump(resolve));
    await fixture.sandbox.control.post("/clock", { frozen: true });
    await connected;
  });
  afterEach(async () => {
    clock.close();
    await fixture.close();
  });

  it("shows the time of each step, and notifies its listeners of the first and the last", async () => {
    const shown: number[] = [];
    const jumps: number[] = [];
    fixture.answers.statuses = [500, 500];
    const moving: unknown[] = [];
    fixture.answers.onDelivery = () => {
      shown.push(clock.now());
      moving.push(clock.isMoving?.());
    };
    clock.onJump(() => jumps.push(clock.now()));
    const { control } = fixture.sandbox;
    await control.act(fixture.person, { type: "dm", to: fixture.bot, text: "hello" });
    await control.advance(3 * DAY);
    await when(() => (clock.now() === NOW + 3 * DAY ? true : undefined));

    expect(shown).toEqual([NOW, NOW + DAY, NOW + 2 * DAY]);
    expect([...moving, clock.isMoving?.()]).toEqual([false, true, true, false]);
    // The clock first jumps to the webhook's challenge after an hour, then to the end.
    expect(jumps).toEqual([NOW + 3_600_000, NOW + 3 * DAY]);
  });

  it("signs requests with the time of their step, and the sandbox accepts them although its clock has moved on", async () => {
    const signedThen: string[] = [];
    const { control, url } = fixture.sandbox;
    const tokens = await control.tokens(fixture.bot, fixture.app.app_id);
    const me = `${url}/2/users/me`;
    fixture.answers.statuses = [500];
    fixture.answers.onDelivery = () =>
      signedThen.push(signed(fixture.app, tokens, "GET", me, undefined, clock.now()));
    await control.act(fixture.person, { type: "dm", to: fixture.bot, text: "hello" });
    await control.advance(3 * DAY);

    expect(await Promise.all(signedThen.map((header) => send("GET", me, header)))).toEqual([
      expect.objectContaining({ status: 200 }),
      expect.objectContaining({ status: 200 }),
    ]);
  });
});

describe("while no sandbox answers", () => {
  const nowhere = { url: "http://127.0.0.1:9/_sandbox", token: "token" };

  it("continues from the time that it showed last", async () => {
    const shown = { now: new Date(NOW).toISOString(), frozen: true, readAt: 0 };
    const memory = { read: async () => JSON.stringify(shown), write: async () => {} };
    const clock = await followSandboxClock(nowhere, log, memory);

    expect(clock.now()).toBe(NOW);
    clock.close();
  });

  it("shows the machine's time if it has shown no other", async () => {
    const before = Date.now();
    const clock = await followSandboxClock(nowhere, log);

    expect(clock.now()).toBeGreaterThanOrEqual(before);
    clock.close();
  });
});
