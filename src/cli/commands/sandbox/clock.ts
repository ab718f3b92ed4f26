import { Command } from "commander";
import { UsageError } from "../../../errors.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { printRecord } from "../../output/print.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";

interface ClockState {
  readonly now: string;
  readonly frozen: boolean;
  readonly offset_ms: number;
}

/** A move that takes longer prints that it is at work. */
const SLOW_MS = 1_000;

/** `clock`: the sandbox's clock; everything due in between happens before the command ends. */
export function clock(io: Io): Command {
  const command = withCommonFlags(new Command("clock"), "print JSON")
    .description("show or move the sandbox's clock")
    .argument("[change]", "+1h, +1d12h, pause, resume or to; none shows the time")
    .argument("[time]", "for to: a time in ISO 8601, such as 2030-01-31T09:00:00Z");
  const examples = [
    "answerback clock",
    "answerback clock +1h",
    "answerback clock pause",
    "answerback clock resume",
    'answerback clock to "$TOMORROW"',
  ];
  return withExamples(command, examples).action(
    async (change: string | undefined, time: string | undefined, flags: CommonFlags) => {
      const body = change === undefined ? undefined : changeOf(change, time);
      const { localSandbox } = await import("../../target/sandbox-control.ts");
      const sandbox = await localSandbox(io, flags);
      const slow = setTimeout(() => {
        if (io.interactive) io.err("Running what is due in between…\n");
      }, SLOW_MS);
      const state = await (
        body === undefined
          ? sandbox.get<ClockState>("/clock")
          : sandbox.post<ClockState>("/clock", body)
      ).finally(() => clearTimeout(slow));
      printRecord(io, flags.json, state, [
        ["now", state.now],
        ["runs", state.frozen ? "no, paused" : "yes"],
        ["ahead", formatOffset(state.offset_ms)],
      ]);
    },
  );
}

/** The body of the request to the control interface. */
function changeOf(change: string, time: string | undefined): object {
  if (change === "pause") return { frozen: true };
  if (change === "resume") return { frozen: false };
  if (change === "to") return { set: instantOf(time) };
  const ms = change.startsWith("+") ? durationMs(change.slice(1)) : undefined;
  if (ms !== undefined) return { advance_ms: ms };
  throw new UsageError(`"${change}" is not a change of the clock`, {
    hint: "write +1h (units: ms, s, m, h, d), pause, resume, or to and a time",
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

/** How far the sandbox's time is from this machine's. */
function formatOffset(offsetMs: number): string {
  const total = Math.round(Math.abs(offsetMs) / 1_000);
  if (total === 0) return "not at all";
  const parts = [
    [Math.floor(total / 86_400), "d"],
    [Math.floor(total / 3_600) % 24, "h"],
    [Math.floor(total / 60) % 60, "m"],
    [total % 60, "s"],
  ] as const;
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount}${unit}`);
  return `${offsetMs < 0 ? "-" : "+"}${shown.join("")} of this machine`;
}
