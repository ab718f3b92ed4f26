import { Command } from "commander";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";

/** `reload`: has the running bot read its rule files again. */
export function reload(io: Io): Command {
  const command = withCommonFlags(new Command("reload"), "print JSON").description(
    "have the running bot read its rule files again; a broken rule goes on as it was",
  );
  return withExamples(command, ["answerback reload"]).action(async (flags: CommonFlags) => {
    const { askRunning } = await import("../../target/ask-running.ts");
    const answer = await askRunning(io, flags, "reload", {});
    if (flags.json === true) {
      io.out(`${JSON.stringify(answer)}\n`);
      return;
    }
    const { count, revision, changed, kept, problems } = answer;
    io.out(
      `${changed ? "Reloaded" : "Nothing has changed"}: ${count} rule(s), revision ${revision}\n`,
    );
    for (const problem of problems) io.err(`${problem}\n`);
    if (kept.length > 0) io.err(`As they were before go on: ${kept.join(", ")}\n`);
  });
}
