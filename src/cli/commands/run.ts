import { Command } from "commander";
import { endingItself } from "../ending.ts";
import { withExamples } from "../examples.ts";
import { ended, type Io } from "../io.ts";
import { settingsFor, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

interface RunFlags extends SettingsFlags, JsonFlag {
  readonly logLevel: string;
  readonly logFile?: string;
}

/** `run`: the bot alone, against the platform that the settings name. */
export function run(io: Io): Command {
  const command = withSettings(new Command("run"))
    .description("run the bot against the platform that the settings name")
    .option("--json", "print one line of JSON when ready")
    .option("--log-level <level>", "debug, info, warn, error or silent", "info")
    .option("--log-file <file>", "keep the log in this file too, from info on");
  return endingItself(
    withExamples(command, ["answerback run --config config/answerback.yaml"]),
  ).action(async (flags: RunFlags) => {
    const settings = await settingsFor(io, flags);
    const { launch } = await import("../run/launch.ts");
    const { logLevel, logFile } = flags;
    const runtime = await launch({ settings, io, logLevel, logFile });
    if (flags.json === true) {
      io.out(
        `${JSON.stringify({ event: "ready", control_url: runtime.controlUrl, status: runtime.status })}\n`,
      );
    } else {
      const { webhook, accounts, rules, bots } = runtime.status;
      io.err(
        `Ready: ${webhook.url} at ${webhook.listen}, ${accounts.length} account(s), ` +
          `${rules.count} rule(s), ${bots.length} bot(s).\n`,
      );
    }
    await ended(io);
    await runtime.stop();
  });
}
