import { visible } from "../../../text/unseen.ts";
import { Command, Option } from "commander";
import { withGracefulStop } from "../../graceful-stop.ts";
import { withExamples } from "../../help/examples.ts";
import { NotRunningError } from "../../exit-codes.ts";
import type { Io } from "../../io.ts";
import { nonNegativeInteger } from "../../arguments/numbers.ts";
import {
  type CommonFlags,
  dataFolder,
  exists,
  settingsFor,
  withCommonFlags,
} from "../../arguments/settings-flags.ts";
import { shell } from "../../../text/shell.ts";
import { oneOf } from "../../arguments/one-of.ts";

interface LogsFlags extends CommonFlags {
  readonly follow?: boolean;
  readonly lines: number;
  readonly level: string;
}

/** `logs`: shows the bot's log. */
export function logs(io: Io): Command {
  const command = withCommonFlags(new Command("logs"))
    .description("show the bot's log from its data folder")
    .option("-f, --follow", "keep printing new lines until Ctrl-C")
    .option("-n, --lines <number>", "number of latest lines to print", nonNegativeInteger, 50)
    .addOption(
      oneOf(new Option("--level <level>", "least severe level to print"), [
        "info",
        "warn",
        "error",
      ]).default("info"),
    );
  const examples = ["answerback logs", "answerback logs -f", "answerback logs --level warn --json"];
  return withGracefulStop(withExamples(command, examples)).action(async (flags: LogsFlags) => {
    if (flags.follow === true) io.ends?.endWithReader();
    const settings = await settingsFor(io, flags);
    const { botLog } = await import("../../dev/bot-log.ts");
    const { lastLines, newLines } = await import("../../logs/follow-file.ts");
    const { LEVELS, readLogLine, formatLogLine } = await import("../../logs/log-line.ts");
    const { tellClock } = await import("../../target/platform-time.ts");
    const { wrapLines } = await import("../../output/wrap.ts");
    const folder = dataFolder(settings);
    if (!(await exists(folder, "bot.log"))) {
      throw new NotRunningError(`there is no log in ${folder}`, {
        hint:
          `start the bot with: ${shell`answerback run --log-file ${botLog(folder)}`}   or answerback dev; ` +
          "under systemd the log is in: journalctl -u answerback",
      });
    }
    const least = Number(
      Object.keys(LEVELS).find((level) => LEVELS[Number(level)] === flags.level),
    );
    // A line that can't be read was cut off by a crash, or is the crash's own text. It is no JSON.
    const unreadable = flags.json === true ? 0 : Infinity;
    const isWanted = (text: string): boolean => (readLogLine(text)?.level ?? unreadable) >= least;
    const asRead = (text: string): string =>
      wrapLines(formatLogLine(text, io.dataColors) ?? visible(text), io.width);
    const show = (text: string): void => io.out(`${flags.json === true ? text : asRead(text)}\n`);
    await tellClock(io, flags);
    const { lines, place } = await lastLines(botLog(folder), flags.lines, isWanted);
    for (const line of lines) show(line);
    if (flags.follow !== true) return;
    if (flags.json !== true) {
      io.err(`Following ${visible(botLog(folder))}; press Ctrl-C to stop.\n`);
    }
    for await (const line of newLines(botLog(folder), place, io.signal)) {
      if (isWanted(line)) show(line);
    }
  });
}
