import { describe, expect, it } from "vitest";
import { followSandboxClock } from "../../../src/runtime/clock/sandbox-clock.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { startSandbox } from "../../../src/sandbox/index.ts";
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
  // The first report is that of the connection: after it no jump is missed.
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

describe("while no sandbox answers", () => {
  const nowhere = { url: "http://127.0.0.1:9/_sandbox", token: "token" };

  it("goes on from the time that was shown last", async () => {
    const shown = { now: new Date(NOW).toISOString(), frozen: true, readAt: 0 };
    const memory = { read: async () => JSON.stringify(shown), write: async () => {} };
    const clock = await followSandboxClock(nowhere, log, memory);

    expect(clock.now()).toBe(NOW);
    clock.close();
  });

  it("shows the machine's time where none was shown before", async () => {
    const before = Date.now();
    const clock = await followSandboxClock(nowhere, log);

    expect(clock.now()).toBeGreaterThanOrEqual(before);
    clock.close();
  });
});
