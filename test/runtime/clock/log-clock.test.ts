import { expect, it } from "vitest";
import { clockedLog, LogClock } from "../../../src/runtime/clock/log-clock.ts";
import { recordedLog } from "../../../src/runtime/control/recent-log.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { handClock } from "../../support/hand-clock.ts";

const MACHINE = Date.UTC(2026, 0, 1);

function opened() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logClock = new LogClock(() => MACHINE);
  const log = clockedLog(openLog({ level: "debug", destination }), logClock);
  return { lines, logClock, log };
}

it("adds the bot's time to a line while it differs from this machine's", () => {
  const { lines, logClock, log } = opened();
  const clock = handClock(MACHINE);
  log.info("before any clock is known");
  logClock.follow(clock);
  log.info({ n: 1 }, "the same time");
  clock.advance(3_600_000);
  log.child({ stage: "outbox" }).warn({ n: 2 }, "an hour ahead");
  log.debug("without fields");
  log.error(new Error("broken"));

  expect(lines.map(({ platform_time: time }) => time)).toEqual([
    undefined,
    undefined,
    "2026-01-01T01:00:00.000Z",
    "2026-01-01T01:00:00.000Z",
    "2026-01-01T01:00:00.000Z",
  ]);
  expect(lines[2]).toMatchObject({ stage: "outbox", n: 2, msg: "an hour ahead" });
  expect(lines[4]).toMatchObject({ msg: "broken", err: { message: "broken" } });
});

it("gives recent lines both times", () => {
  const { logClock, log } = opened();
  const clock = handClock(MACHINE);
  logClock.follow(clock);
  clock.advance(3_600_000);
  const recorded = recordedLog(log, logClock);
  recorded.log.info({ n: 1 }, "an hour ahead");

  const [line] = recorded.recent.lines();
  expect(line).toMatchObject({ at: MACHINE, platformAt: MACHINE + 3_600_000, fields: { n: 1 } });
});
