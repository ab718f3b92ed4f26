import { withSameSettings } from "../../output/same-settings.ts";
import { setTimeout as pause } from "node:timers/promises";
import { Command, InvalidArgumentError } from "commander";
import type { ReplayShown } from "../../../runtime/vocabulary.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";
import { withExamples } from "../../help/examples.ts";
import { instantMs } from "../../arguments/instant.ts";
import type { Io } from "../../io.ts";
import { formatTime } from "../../output/format-time.ts";
import { printList } from "../../output/print.ts";
import { visible } from "../../../text/unseen.ts";

interface ReplayFlags extends CommonFlags {
  readonly from: number;
  readonly to: number;
  readonly wait: boolean;
}

/** `replay`: asks the platform, through the running bot, to deliver the events of a period again. */
export function replay(io: Io): Command {
  const command = withCommonFlags(new Command("replay"))
    .description("have the platform deliver missed events again; no event is handled twice")
    .requiredOption(
      "--from <time>",
      "start, at least 31 minutes ago: ISO 8601 (UTC without a zone) or relative, such as -2h",
      replayTime,
    )
    .requiredOption("--to <time>", "end, not included, at least 10 minutes ago", replayTime)
    .option("--no-wait", "do not wait until all events are delivered");
  const examples = ["answerback replay --from -2h --to -15m", "answerback coverage"];
  return withExamples(command, examples).action(async (flags: ReplayFlags) => {
    const { UsageError } = await import("../../../errors.ts");
    const { askRunning } = await import("../../target/ask-running.ts");
    const { from, to } = flags;
    const answer = await askRunning(io, flags, "replay", { from, to });
    if (!answer.accepted) throw new UsageError(answer.problem, { hint: answer.hint });
    const jobs = await watch(io, flags, answer.ids);
    const { tellClock } = await import("../../target/platform-time.ts");
    if (jobs.length > 0) await tellClock(io, flags);
    printList(
      io,
      flags.json,
      jobs,
      [
        { title: "FROM", of: (job) => formatTime(job.from) },
        { title: "TO", of: (job) => formatTime(job.to) },
        { title: "STATE", of: ({ state }) => state },
        { title: "NEW EVENTS", of: ({ events }) => events },
        { title: "WHY", of: ({ reason }) => reason },
      ],
      "There is nothing to replay.",
    );
    if (!flags.wait && flags.json !== true)
      io.err(withSameSettings("See the outcome with: answerback coverage\n", flags));
  });
}

const ASK_EVERY_MS = 250;
const OVER: ReadonlySet<ReplayShown["state"]> = new Set(["complete", "too-old", "refused"]);

/** Waits until the replay jobs have ended, and returns them. */
async function watch(
  io: Io,
  flags: ReplayFlags,
  ids: readonly number[],
): Promise<readonly ReplayShown[]> {
  const { askRunning } = await import("../../target/ask-running.ts");
  let printedReason = "";
  for (;;) {
    const { replays } = await askRunning(io, flags, "replays", {});
    const jobs = replays.filter(({ id }) => id !== undefined && ids.includes(id));
    const waiting = jobs.find(({ state }) => state === "waiting")?.reason ?? "";
    if (waiting !== printedReason && waiting !== "") io.err(`Waiting: ${visible(waiting)}\n`);
    printedReason = waiting;
    const over = jobs.every(({ state }) => OVER.has(state));
    if (!flags.wait || over || io.signal.aborted) return jobs;
    await pause(ASK_EVERY_MS);
  }
}

const AGO_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };

/**
 * Parses a time to milliseconds since the epoch. A relative time such as `-2h` (two hours before the platform's current
 * time) becomes a negative number of milliseconds.
 */
function replayTime(text: string): number {
  const [, amount, unit] = /^-(\d+)([mh])$/.exec(text) ?? [];
  if (amount !== undefined) return -Number(amount) * (AGO_MS[unit ?? ""] ?? 0);
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  const iso = year === undefined ? text : `${year}-${month}-${day}T${hour}:${minute}:00Z`;
  const at = instantMs(iso);
  if (at !== undefined) return at;
  throw new InvalidArgumentError(
    "Write ISO 8601, yyyymmddhhmm, or a relative time such as -2h or -15m.",
  );
}
