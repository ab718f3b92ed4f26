import { Command } from "commander";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";
import { upTo } from "../../arguments/numbers.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";

interface CoverageFlags extends CommonFlags {
  readonly hours: number;
  readonly ascii?: boolean;
}

/** `coverage`: shows for which times all events were received, and the gaps. */
export function coverage(io: Io): Command {
  const command = withCommonFlags(new Command("coverage"), "print JSON, with every stretch")
    .description("show for which times each account's events were received, and the gaps")
    .option("--hours <number>", "how far back, 720 at most", upTo(720), 24)
    .option("--ascii", "draw with plain characters");
  const examples = ["answerback coverage", "answerback coverage --hours 48 --json"];
  return withExamples(command, examples).action(async (flags: CoverageFlags) => {
    const { withStored } = await import("../../target/stored.ts");
    const answer = await withStored(io, flags, (stored) => stored.coverage(flags.hours));
    if (flags.json === true) io.out(`${JSON.stringify(answer)}\n`);
    else if (answer.accounts.length === 0) io.err("No account is linked.\n");
    else {
      const { tellClock } = await import("../../target/platform-time.ts");
      await tellClock(io, flags);
      const { coverageStrips, showsBlocks } = await import("../../output/coverage-strip.ts");
      const ascii = flags.ascii === true || !showsBlocks(io.env);
      io.out(coverageStrips(answer, { ascii, width: io.width }));
    }
  });
}
