import { Command } from "commander";
import { UsageError } from "../../../errors.ts";
import { withExamples } from "../../help/examples.ts";
import type { ClockReading } from "../../../sandbox/control/objects.ts";
import type { LocalSandbox } from "../../target/sandbox-control.ts";
import { instantMs } from "../../arguments/instant.ts";
import type { Io } from "../../io.ts";
import { offsetInWords } from "../../output/clock-offset.ts";
import { printRecord } from "../../output/print.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";

/** Time in milliseconds after which the command reports that the clock is still moving. */
const SLOW_MS = 1_000;

const BACK = /^-(\d+(ms|s|m|h|d))+$/;

/** Command that reads `-1h` as a duration instead of a flag. */
class ClockCommand extends Command {
  override parseOptions(args: string[]): { operands: string[]; unknown: string[] } {
    const parsed = super.parseOptions(args.filter((arg) => !BACK.test(arg)));
    const back = args.filter((arg) => BACK.test(arg));
    return { ...parsed, operands: [...back, ...parsed.operands] };
  }
}

/** `clock`: shows and moves the sandbox's clock. The command ends when all work that fell due is done. */
export function clock(io: Io): Command {
  const command = withCommonFlags(new ClockCommand("clock"), "print JSON")
    .description("show or move the sandbox's clock")
    .argument("[change]", "+1h, +1d12h, -1h, pause, resume or to; none shows the time")
    .argument(
      "[time]",
      "for to: a time in ISO 8601, such as 2030-01-31T09:00:00Z, or the next 09:00 in UTC",
    );
  const examples = [
    "answerback clock",
    "answerback clock +1h",
    "answerback clock -1h",
    "answerback clock pause",
    "answerback clock resume",
    "answerback clock to 09:00",
    'answerback clock to "$TOMORROW"',
  ];
  return withExamples(command, examples).action(
    async (change: string | undefined, time: string | undefined, flags: CommonFlags) => {
      const move = change === undefined ? undefined : changeOf(change, time);
      const { localSandbox } = await import("../../target/sandbox-control.ts");
      const sandbox = await localSandbox(io, flags);
      const slow = setTimeout(() => {
        if (io.interactive) io.err("Running timers that are due in between…\n");
      }, SLOW_MS);
      const state = await (move === undefined ? sandbox.clock() : move(sandbox)).finally(() =>
        clearTimeout(slow),
      );
      printRecord(io, flags.json, state, [
        ["now", state.now],
        ["runs", state.frozen ? "no, paused" : "yes"],
        ["ahead", aheadText(state.offset_ms)],
      ]);
    },
  );
}

/** A change of the sandbox's clock. */
type Move = (sandbox: LocalSandbox) => Promise<ClockReading>;

function changeOf(change: string, time: string | undefined): Move {
  if (change !== "to" && time !== undefined) {
    throw new UsageError(`"${change}" takes no time, and got "${time}"`, {
      hint: "write only one of: +1h, -1h, pause, resume; or to and a time",
    });
  }
  if (change === "pause") return (sandbox) => sandbox.freezeClock(true);
  if (change === "resume") return (sandbox) => sandbox.freezeClock(false);
  if (change === "to") {
    const ofDay = timeOfDayMs(time ?? "");
    if (ofDay !== undefined) return (sandbox) => moveToTimeOfDay(sandbox, ofDay);
    const to = instantOf(time);
    return (sandbox) => sandbox.setClock(to);
  }
  const ms = change.startsWith("+") ? durationMs(change.slice(1)) : undefined;
  if (ms !== undefined) return forward(ms);
  const back = change.startsWith("-") ? durationMs(change.slice(1)) : undefined;
  if (back !== undefined) return (sandbox) => setBack(sandbox, back);
  throw new UsageError(`"${change}" is not a change of the clock`, {
    hint: "write +1h or -1h (units: ms, s, m, h, d), pause, resume, or to and a time",
  });
}

/** Longest jump that the sandbox makes at once. */
const MAX_JUMP_DAYS = 366;

function forward(ms: number): Move {
  if (ms <= MAX_JUMP_DAYS * DAY_MS) return (sandbox) => sandbox.advance(ms);
  throw new UsageError(`the clock moves forward at most ${MAX_JUMP_DAYS} days at once`, {
    hint: "move it in several steps, or write a time: answerback clock to 2030-01-31T09:00:00Z",
  });
}

async function setBack(sandbox: LocalSandbox, ms: number): Promise<ClockReading> {
  const { now } = await sandbox.clock();
  const at = Date.parse(now) - ms;
  if (at >= EARLIEST_MS) return sandbox.setClock(new Date(at).toISOString());
  throw new UsageError("the clock shows times of the years 1 to 9999", {
    hint: "move it back less, or write a time: answerback clock to 2020-01-31T09:00:00Z",
  });
}

const DAY_MS = 86_400_000;
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");

/** Milliseconds from midnight to a time such as `9:00` or `21:30`; undefined for any other text. */
function timeOfDayMs(text: string): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Moves the clock forward to the next occurrence of a time of day in UTC, the zone in which the clock is shown. */
async function moveToTimeOfDay(sandbox: LocalSandbox, ofDay: number): Promise<ClockReading> {
  const now = Date.parse((await sandbox.clock()).now);
  const today = now - (now % DAY_MS) + ofDay;
  return sandbox.setClock(new Date(today > now ? today : today + DAY_MS).toISOString());
}

function instantOf(time: string | undefined): string {
  const at = instantMs(time ?? "");
  if (at !== undefined) return new Date(at).toISOString();
  throw new UsageError(time === undefined ? `"to" needs a time` : `"${time}" is not a time`, {
    hint: "write it as in: answerback clock to 2030-01-31T09:00:00Z   or: answerback clock to 09:00",
  });
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

function durationMs(text: string): number | undefined {
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  return parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ""] ?? 0),
    0,
  );
}

function aheadText(offsetMs: number): string {
  const offset = offsetInWords(offsetMs);
  return offset === undefined ? "not at all" : `${offset} of this machine`;
}
