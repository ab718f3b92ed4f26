import { Command, Option } from "commander";
import { endingItself } from "../ending.ts";
import { withExamples } from "../examples.ts";
import { NotRunningError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { count } from "../numbers.ts";
import {
  dataFolder,
  has,
  settingsFor,
  withJson,
  withSettings,
  type JsonFlag,
  type SettingsFlags,
} from "../settings-flags.ts";

interface LogsFlags extends SettingsFlags, JsonFlag {
  readonly follow?: boolean;
  readonly lines: number;
  readonly level: string;
}

/** `logs`: what the bot has to say of its work. */
export function logs(io: Io): Command {
  const command = withJson(withSettings(new Command("logs")))
    .description("show the bot's log, as dev keeps it")
    .option("-f, --follow", "go on with what comes, until Ctrl-C")
    .option("-n, --lines <number>", "how many of the latest lines", count, 50)
    .addOption(
      new Option("--level <level>", "no less severe than this")
        .choices(["info", "warn", "error"])
        .default("info"),
    );
  const examples = ["answerback logs", "answerback logs -f", "answerback logs --level warn --json"];
  return endingItself(withExamples(command, examples)).action(async (flags: LogsFlags) => {
    const settings = await settingsFor(io, flags);
    const { botLog } = await import("../dev/bot-log.ts");
    const { lastLines, newLines } = await import("../follow-file.ts");
    const { LEVELS, readLogLine, shownLogLine } = await import("../output/log-line.ts");
    const folder = dataFolder(settings);
    if (!(await has(folder, "bot.log"))) {
      throw new NotRunningError(`there is no log in ${folder}`, {
        hint: "dev writes one; run does with: answerback run --log-file FILE",
      });
    }
    const least = Number(
      Object.keys(LEVELS).find((level) => LEVELS[Number(level)] === flags.level),
    );
    const isWanted = (text: string): boolean => (readLogLine(text)?.level ?? 0) >= least;
    const show = (text: string): void =>
      io.out(`${flags.json === true ? text : shownLogLine(text, io.dataColors)}\n`);
    const { lines, end } = await lastLines(botLog(folder), flags.lines, isWanted);
    for (const line of lines) show(line);
    if (flags.follow !== true) return;
    for await (const line of newLines(botLog(folder), end, io.signal)) {
      if (isWanted(line)) show(line);
    }
  });
}
