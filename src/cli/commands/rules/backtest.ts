import { Command, InvalidArgumentError } from "commander";
import { positiveInteger } from "../../arguments/numbers.ts";
import { wholePath, withCommonFlags } from "../../arguments/settings-flags.ts";
import { EXIT, ExitError } from "../../exit-codes.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import type { BacktestFlags } from "../../rule-reports/backtest-rules.ts";

/** `backtest`: runs the events of the journal through other rules, and sends nothing. */
export function backtest(io: Io): Command {
  const command = withCommonFlags(new Command("backtest"))
    .description(
      "show what other rules would have sent for the events of the journal; sends nothing",
    )
    .requiredOption("--rules <folder>", "folder of the rules to try", wholePath)
    .option("--since <duration>", "how far back, such as 24h or 7d", duration, "24h")
    .option("--limit <number>", "only the latest N events", positiveInteger)
    .option("--all", "list every event that differs instead of groups of equal changes");
  const examples = [
    "answerback backtest --rules rules --since 7d",
    "answerback backtest --rules rules --all",
  ];
  const after =
    "Runs the project's rules and the other rules over the same events, and compares their answers. Both start with\n" +
    "empty state, then apply cooldowns, limits, questions and waits. A run is followed up to its first call or request.\n" +
    "Exits with 3 if the answers differ.";
  return withExamples(command, examples, after).action(async (flags: BacktestFlags) => {
    const { backtestRules } = await import("../../rule-reports/backtest-rules.ts");
    if (!(await backtestRules(io, flags))) throw new ExitError(EXIT.problems);
  });
}

function duration(text: string): string {
  if (/^\d{1,9}(ms|s|m|h|d)$/.test(text)) return text;
  throw new InvalidArgumentError('write a number and a unit, such as "24h" or "7d".');
}
