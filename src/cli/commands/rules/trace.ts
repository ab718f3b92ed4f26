import { Command } from "commander";
import { type CommonFlags, withCommonFlags, wholeEvent } from "../../arguments/settings-flags.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";

/** `trace`: shows the steps of runs. */
export function trace(io: Io): Command {
  const command = withCommonFlags(new Command("trace"))
    .description("show the runs that an event started: their steps, sent answers and outcome")
    .argument(
      "[run]",
      "a run, such as 17/rule:hours; an event's number or key for all of its runs; @HANDLE: of the newest of a person; or last",
      wholeEvent,
      "last",
    );
  const examples = ["answerback trace last", "answerback trace last --json"];
  return withExamples(command, examples).action(async (which: string, flags: CommonFlags) => {
    const { traceRuns } = await import("../../rule-reports/trace-runs.ts");
    await traceRuns(io, which, flags);
  });
}
