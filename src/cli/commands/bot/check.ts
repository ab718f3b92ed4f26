import { Command } from "commander";
import { withExamples } from "../../help/examples.ts";
import { ExitError, EXIT } from "../../exit-codes.ts";
import type { Io } from "../../io.ts";
import { withJson, type JsonFlag } from "../../arguments/settings-flags.ts";

interface CheckFlags extends JsonFlag {
  readonly config?: string;
}

/** `check`: problems of the settings and the rules; starts nothing. */
export function check(io: Io): Command {
  const command = withJson(new Command("check"))
    .description("check the settings and rule files without starting the bot")
    .argument(
      "[files...]",
      "rule files, or settings files named answerback.yaml (default: all files of the project)",
    )
    .option("-c, --config <file>", "settings file (default: config/answerback.yaml)");
  const examples = ["answerback check", "answerback check --json"];
  const after = "Exits with 3 if there are problems.";
  return withExamples(command, examples, after).action(
    async (files: readonly string[], flags: CheckFlags) => {
      const { checkFiles } = await import("../../check/check-files.ts");
      const { renderProblems } = await import("../../../config/render-problems.ts");
      const { problems, checked } = await checkFiles(io, files, flags.config);
      const { red, yellow, dim } = io.dataColors;
      if (flags.json === true) {
        for (const problem of problems) io.out(`${JSON.stringify(problem)}\n`);
      } else if (problems.length > 0) {
        io.out(`${renderProblems(problems, { error: red, warning: yellow, faint: dim })}\n`);
      } else {
        io.err(`${checked.settings} settings file(s), ${checked.rules} rule(s): no problems.\n`);
      }
      if (problems.length > 0) throw new ExitError(EXIT.problems);
    },
  );
}
