import { Command } from "commander";
import { withExamples } from "../../help/examples.ts";
import { ExitError, EXIT } from "../../exit-codes.ts";
import type { Io } from "../../io.ts";
import { visible } from "../../output/terminal-text.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";

/** `doctor`: checks of everything the bot depends on. */
export function doctor(io: Io): Command {
  const command = withCommonFlags(new Command("doctor")).description(
    "check everything the bot depends on, and show how to fix what fails",
  );
  const after = "The platform challenges the webhook once. Exits with 3 if a check fails.";
  return withExamples(command, ["answerback doctor", "answerback doctor --json"], after).action(
    async (flags: CommonFlags) => {
      const { runChecks } = await import("../../doctor/run-checks.ts");
      const { jsonFinding } = await import("../../doctor/finding.ts");
      const { green, yellow, red, dim } = io.dataColors;
      const paint = { ok: green, warn: yellow, fail: red };
      let failed = 0;
      for await (const finding of runChecks(io, flags)) {
        if (finding.state === "fail") failed += 1;
        if (flags.json === true) {
          io.out(`${JSON.stringify(jsonFinding(finding))}\n`);
          continue;
        }
        const { name, state, message, fix } = finding;
        io.out(`${paint[state](state.padEnd(6))}${name.padEnd(14)}${visible(message)}\n`);
        if (fix !== undefined) io.out(`${dim(`${" ".repeat(20)}fix: ${visible(fix)}`)}\n`);
      }
      if (failed > 0) throw new ExitError(EXIT.problems);
    },
  );
}
