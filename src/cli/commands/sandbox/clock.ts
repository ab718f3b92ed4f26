import { Command } from "commander";
import { UsageError } from "../../../errors.ts";
import { withExamples } from "../../help/examples.ts";
import type { LocalSandbox } from "../../target/sandbox-control.ts";
import type { Io } from "../../io.ts";
import { offsetInWords } from "../../output/clock-offset.ts";
import { printRecord } from "../../output/print.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";

interface ClockState {
  readonly now: string;
  readonly frozen: boolean;
  readonly offset_ms: number;
}

/** A move that takes longer prints that it is at work. */
const SLOW_MS = 1_000;

const BACK = /^-(\d+(ms|s|m|h|d))+$/;

/** Takes `-1h` for what it is: not for a flag. */
class ClockCommand extends Command {
  override parseOptions(args: string[]): { operands: string[]; unknown: string[] } {
    const parsed = super.parseOptions(args.filter((arg) => !BACK.test(arg)));
    const back = args.filter((arg) => BACK.test(arg));
    return { ...parsed, operands: [...back, ...parsed.operands] };
  }
}

/** `clock`: the sandbox's clock; everything due in between happens before the command ends. */
export function clock(io: Io): Command {
  const command = withCommonFlags(new ClockCommand("clock"), "print JSON")
    .description("show or move the sandbox's clock")
    .argument("[change]", "+1h, +1d12h, -1h, pause, resume or to; none shows the time")
    .argument("[time]", "for to: a time in ISO 8601, such as 2030-01-31T09:00:00Z");
  const examples = [
    "answerback clock",
    "answerback clock +1h",
    "answerback clock -1h",
    "answerback clock pause",
    "answerback clock resume",
    'answerback clock to "$TOMORROW"',
  ];
  return withExamples(command, examples).action(
    async (change: string | undefined, time: string | undefined, flags: CommonFlags) => {
      const move = change === undefined ? undefined : changeOf(change, time);
      const { localSandbox } = await import("../../target/sandbox-control.ts");
      const sandbox = await localSandbox(io, flags);
      const slow = setTimeout(() => {
        if (io.interactive) io.err("Running what is due in between…\n");
      }, SLOW_MS);
      const body = typeof move === "number" ? await setBack(sandbox, move) : move;
      const state = await (
        body === undefined
          ? sandbox.get<ClockState>("/clock")
          : sandbox.post<ClockState>("/clock", body)
      ).finally(() => clearTimeout(slow));
      printRecord(io, flags.json, state, [
        ["now", state.now],
        ["runs", state.frozen ? "no, paused" : "yes"],
        ["ahead", aheadText(state.offset_ms)],
      ]);
    },
  );
}

/** What sets the clock back by so many milliseconds. */
async function setBack(sandbox: LocalSandbox, ms: number): Promise<object> {
  const { now } = await sandbox.get<ClockState>("/clock");
  return { set: new Date(Date.parse(now) - ms).toISOString() };
}

/** The body of the request to the control interface, or the milliseconds by which the clock is to be set back. */
function changeOf(change: string, time: string | undefined): object | number {
  if (change === "pause") return { frozen: true };
  if (change === "resume") return { frozen: false };
  if (change === "to") return { set: instantOf(time) };
  const ms = change.startsWith("+") ? durationMs(change.slice(1)) : undefined;
  if (ms !== undefined) return { advance_ms: ms };
  const back = change.startsWith("-") ? durationMs(change.slice(1)) : undefined;
  if (back !== undefined) return back;
  throw new UsageError(`"${change}" is not a change of the clock`, {
    hint: "write +1h or -1h (units: ms, s, m, h, d), pause, resume, or to and a time",
  });
}

function instantOf(time: string | undefined): string {
  const at = new Date(time ?? "");
  if (!Number.isNaN(at.getTime())) return at.toISOString();
  throw new UsageError(time === undefined ? `"to" needs a time` : `"${time}" is not a time`, {
    hint: "write it as in: answerback clock to 2030-01-31T09:00:00Z",
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
