import { expect, it } from "vitest";
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

it("says where no sandbox answers, and what to start", async () => {
  const nowhere = { url: "http://127.0.0.1:9/_sandbox", token: "token" };

  await expect(followSandboxClock(nowhere, log)).rejects.toMatchObject({
    message: "no sandbox answers at http://127.0.0.1:9/_sandbox",
    hint: expect.stringContaining("answerback sandbox"),
  });
});
