import { Command, InvalidArgumentError } from "commander";
import { positiveInteger } from "../../arguments/numbers.ts";
import { withCommonFlags } from "../../arguments/settings-flags.ts";
import { EXIT, ExitError } from "../../exit-codes.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import type { BacktestFlags } from "../../rule-look/backtest-rules.ts";

/** `backtest`: the journal through other rules, with nothing sent. */
export function backtest(io: Io): Command {
  const command = withCommonFlags(new Command("backtest"))
    .description(
      "show what other rules would have sent for the events of the journal; sends nothing",
    )
    .requiredOption("--rules <folder>", "folder of the rules to try")
    .option("--since <duration>", "how far back, such as 24h or 7d", duration, "24h")
    .option("--limit <number>", "at most so many events, the latest", positiveInteger)
    .option("--all", "list every event that differs instead of groups of equal changes");
  const examples = [
    "answerback backtest --rules rules --since 7d",
    "answerback backtest --rules rules --all",
  ];
  const after =
    "Compares with the rules that the settings name. Both begin with nothing remembered, and go through the events as\n" +
    "the bot would have: with cooldowns, limits, state, questions and waits. A run is followed until a call or a request.\n" +
    "Exits with 3 if anything else would have gone out.";
  return withExamples(command, examples, after).action(async (flags: BacktestFlags) => {
    const { backtestRules } = await import("../../rule-look/backtest-rules.ts");
    if (!(await backtestRules(io, flags))) throw new ExitError(EXIT.problems);
  });
}

function duration(text: string): string {
  if (/^\d{1,9}(ms|s|m|h|d)$/.test(text)) return text;
  throw new InvalidArgumentError('write a number and a unit, such as "24h" or "7d".');
}
