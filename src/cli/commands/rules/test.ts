import { Command } from "commander";
import { type CommonFlags, wholePath, withCommonFlags } from "../../arguments/settings-flags.ts";
import { EXIT, ExitError } from "../../exit-codes.ts";
import { withGracefulStop } from "../../graceful-stop.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";

interface TestFlags extends CommonFlags {
  readonly filter?: string;
  readonly coverage?: boolean;
  readonly junit?: string;
  readonly watch?: boolean;
}

/** `test`: runs the tests of the rules in virtual time, and sends nothing to the platform. */
export function test(io: Io): Command {
  const command = withCommonFlags(new Command("test"))
    .description(
      "run the tests of the rules; nothing is sent to the platform, and waits take no real time",
    )
    .argument(
      "[files...]",
      "files of tests (default: *.test.yaml beside rules and bots, and in this folder)",
    )
    .option("--filter <text>", "only tests whose name or file contains this text")
    .option("--coverage", "show the rules and branches that no test has run")
    .option("--junit <file>", "also write the results as JUnit XML; creates its folder", wholePath)
    .option("--watch", "run them again whenever a rule, bot or test is saved");
  const examples = ["answerback test", "answerback test --coverage --json"];
  const after = "Exits with 3 if a test fails.";
  return withGracefulStop(
    withExamples(command, examples, after).action(
      async (files: readonly string[], flags: TestFlags) => {
        const { testRules } = await import("../../rule-test/test-rules.ts");
        if (flags.watch === true) {
          const { watchTests } = await import("../../rule-test/watch-tests.ts");
          await watchTests(io, files, flags);
        } else if (!(await testRules(io, files, flags)).passed) throw new ExitError(EXIT.problems);
      },
    ),
  );
}
