import { withSameSettings } from "../../output/same-settings.ts";
import { Command, Option } from "commander";
import { UsageError } from "../../../errors.ts";
import { withExamples } from "../../help/examples.ts";
import { ExitError, EXIT } from "../../exit-codes.ts";
import type { Io } from "../../io.ts";
import type { Checked } from "../../check/check-files.ts";
import type { Format } from "../../check/print-problems.ts";
import { type JsonFlag, withJson, withSettingsFile } from "../../arguments/settings-flags.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { hasErrors } from "../../../config/problem.ts";
import { counted } from "../../../text/counted.ts";

interface CheckFlags extends JsonFlag {
  readonly config?: string;
  readonly format: Format;
  readonly fix?: boolean;
  readonly strict?: boolean;
  readonly schema?: boolean;
  readonly code: boolean;
}

/** `check`: reports problems of the settings and rules without starting the bot. */
export function check(io: Io): Command {
  const command = withSettingsFile(withJson(new Command("check")))
    .description("check the settings and rule files without starting the bot")
    .argument(
      "[files...]",
      "rule files, - for rules from stdin, or settings: answerback.yaml, config/live.yaml (default: all files of the project)",
    )
    .addOption(
      oneOf(new Option("--format <format>", "how to print problems; sarif is version 2.1.0"), [
        "text",
        "json",
        "sarif",
        "github",
      ] satisfies Format[])
        .default("text")
        .conflicts("json"),
    )
    .option("--fix", "fix problems that have exactly one fix")
    .option("--strict", "fail on warnings, too")
    .option(
      "--no-code",
      "check settings and rules only, and run no code of the project; for a branch that you do not trust",
    )
    .option(
      "--schema",
      "first write the JSON Schemas for editors beside the settings file, and name them in each file that names none",
    );
  return withExamples(command, EXAMPLES, EXIT_CODE).action(
    async (files: readonly string[], flags: CheckFlags) => {
      if (flags.fix === true && files.includes("-")) {
        throw new UsageError("stdin can't be fixed", { hint: "name the files to fix" });
      }
      if (flags.schema === true) {
        const { placeSchemas } = await import("../../schema/place-schemas.ts");
        const written = await placeSchemas(io, flags);
        for (const file of written) io.err(`written: ${file}\n`);
      }
      const { checkFiles } = await import("../../check/check-files.ts");
      const { printProblems } = await import("../../check/print-problems.ts");
      const { problems, checked, fixed } = await checkFiles(io, files, flags);
      printProblems(io, problems, flags.json === true ? "json" : flags.format);
      if (flags.fix === true) io.err(`${counted(fixed, "problem")} fixed.\n`);
      const fails = flags.strict === true ? problems.length > 0 : hasErrors(problems);
      if (fails) throw new ExitError(EXIT.problems);
      if (problems.length > 0) return;
      const unloaded = flags.code ? "" : " No module was loaded.";
      io.err(`${summary(checked)}: no problems.${unloaded}\n`);
      const isEmpty = files.length === 0 && checked.rules + checked.bots === 0;
      if (isEmpty) io.err(`${withSameSettings(NO_RULES, flags)}\n`);
    },
  );
}

const EXAMPLES = [
  "answerback check",
  "answerback check --fix rules/questions.yaml",
  "answerback check --strict",
  "answerback check --no-code",
  "answerback check --schema",
  "answerback check --format sarif > answerback.sarif",
  "answerback check - < rules/questions.yaml",
];

const EXIT_CODE =
  "Exits with 3 if there are errors, with --strict also if there are warnings. A warning is silenced by  # check: ignore CODE  on its line.";

/** Line for a project without rules: the command may have been started in another folder than the project's. */
const NO_RULES =
  "No rules and no bots were found: add a file to config/rules, set rules: in the settings, or name files: answerback check FILES";

/** Counts of checked files; omits bots and modules if there are none. */
function summary({ settings, rules, bots, modules }: Checked): string {
  return [
    counted(settings, "settings file"),
    counted(rules, "rule"),
    ...(bots > 0 ? [counted(bots, "bot module")] : []),
    ...(modules > 0 ? [counted(modules, "called module")] : []),
  ].join(", ");
}
