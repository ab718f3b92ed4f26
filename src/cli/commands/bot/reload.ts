import { Command } from "commander";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { visibleLines } from "../../../text/unseen.ts";

/** `reload`: makes the running bot read its rule files and bot modules again. */
export function reload(io: Io): Command {
  const command = withCommonFlags(new Command("reload"), "print JSON").description(
    "reload rules and bots; files with errors keep their last working version",
  );
  return withExamples(command, ["answerback reload"]).action(async (flags: CommonFlags) => {
    const { askRunning } = await import("../../target/ask-running.ts");
    const answer = await askRunning(io, flags, "reload", {});
    if (flags.json === true) {
      io.out(`${JSON.stringify(answer)}\n`);
      return;
    }
    const { count, revision, changed, bots } = answer;
    io.out(
      `${changed ? "Reloaded" : "Nothing has changed"}: ${count} rule(s), revision ${revision}\n`,
    );
    io.out(`Loaded again: ${bots.count} bot(s)\n`);
    for (const problem of [...answer.problems, ...bots.problems])
      io.err(`${visibleLines(problem)}\n`);
    const keptNames = [...answer.kept, ...bots.kept];
    if (keptNames.length > 0)
      io.err(
        `Not reloaded, because of errors; the last working version stays in use: ${keptNames.join(", ")}\n`,
      );
  });
}
