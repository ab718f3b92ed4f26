import { withSameSettings } from "../../output/same-settings.ts";
import { Command } from "commander";
import { positiveInteger } from "../../arguments/numbers.ts";
import {
  type CommonFlags,
  withCommonFlags,
  whole,
  wholeHandle,
} from "../../arguments/settings-flags.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { formatTime } from "../../output/format-time.ts";
import { printList } from "../../output/print.ts";

interface RunsFlags extends CommonFlags {
  readonly failed?: boolean;
  readonly open?: boolean;
  readonly person?: string;
  readonly rule?: string;
  readonly limit: number;
}

/** `runs`: lists the runs of rules and bots, and how they ended. */
export function runs(io: Io): Command {
  const command = withCommonFlags(new Command("runs"))
    .description("list the runs of rules and bots, and how they ended, newest first")
    .option("--failed", "only runs that failed")
    .option("--open", "only runs that are not over (with --failed: either)")
    .option(
      "--person <user>",
      "only runs of this person's events, by handle or user id",
      wholeHandle,
    )
    .option("--rule <id>", "only runs of this rule", whole("id"))
    .option("--limit <number>", "maximum number of results", positiveInteger, 20);
  const examples = ["answerback runs --failed", "answerback runs --open --person @ana --json"];
  const after = "What a run did step by step: answerback trace RUN.";
  return withExamples(command, examples, after).action(async (flags: RunsFlags) => {
    const { withStored } = await import("../../target/stored.ts");
    const { tellClock } = await import("../../target/platform-time.ts");
    const { refuseStranger } = await import("../../target/named.ts");
    const { listRuns } = await import("../../rule-reports/list-runs.ts");
    const { matchingRuns, storedCount } = await withStored(io, flags, async (stored) => {
      const matchingRuns = await listRuns(stored, flags);
      const { person } = flags;
      if (matchingRuns.length === 0 && person !== undefined) await refuseStranger(stored, person);
      return { matchingRuns, storedCount: (await stored.counts()).journal };
    });
    if (matchingRuns.length > 0) await tellClock(io, flags);
    printList(
      io,
      flags.json,
      matchingRuns,
      [
        { title: "RUN", of: ({ id }) => id },
        { title: "ARRIVED", of: ({ arrivedAt }) => formatTime(arrivedAt) },
        {
          title: "PERSON",
          of: ({ person: { id, username } }) => (username === undefined ? id : `@${username}`),
        },
        { title: "STATUS", of: ({ status }) => status },
        { title: "HOW", of: ({ inWords }) => inWords },
        { title: "TEXT", of: ({ text }) => text },
      ],
      nothing(flags, storedCount),
    );
  });
}

function nothing(flags: RunsFlags, storedCount: number): string {
  const { failed, open, person, rule } = flags;
  if (storedCount === 0) return "No event has been received.";
  const isFiltered = [failed, open, person, rule].some((one) => one !== undefined);
  const events = storedCount === 1 ? "1 event is" : `${storedCount} events are`;
  return `No ${isFiltered ? "such " : ""}runs; ${events} kept: ${withSameSettings("answerback journal", flags)}`;
}
