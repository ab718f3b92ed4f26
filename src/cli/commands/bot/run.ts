import { Command } from "commander";
import { withGracefulStop } from "../../graceful-stop.ts";
import { withExamples } from "../../help/examples.ts";
import { interrupted, type Io } from "../../io.ts";
import { type CommonFlags, settingsFor, withSettings } from "../../arguments/settings-flags.ts";

interface RunFlags extends CommonFlags {
  readonly logLevel: string;
  readonly logFile?: string;
}

/** `run`: the bot alone, on the platform that the settings name. */
export function run(io: Io): Command {
  const command = withSettings(new Command("run"))
    .description("run the bot on the platform in the settings (target: sandbox or live)")
    .option("--json", "print one JSON object when ready")
    .option("--log-level <level>", "log level: debug, info, warn, error or silent", "info")
    .option("--log-file <file>", "also write the log, level info and above, to this file");
  return withGracefulStop(
    withExamples(command, ["answerback run --config config/answerback.yaml"]),
  ).action(async (flags: RunFlags) => {
    const settings = await settingsFor(io, flags);
    const { launch } = await import("../../run/launch.ts");
    const { logLevel, logFile } = flags;
    const runtime = await launch({ settings, io, logLevel, logFile });
    const status = await runtime.status();
    if (flags.json === true) {
      const { controlUrl } = runtime;
      io.out(`${JSON.stringify({ event: "ready", control_url: controlUrl, status })}\n`);
    } else {
      const { webhook, accounts, rules, bots, missing, source } = status;
      const events = source === "polling" ? "polling" : `${webhook.url} at ${webhook.listen}`;
      io.err(
        `${missing.length === 0 ? "Ready" : "Running"}: ${events}, ${accounts.length} account(s), ` +
          `${rules.count} rule(s), ${bots.length} bot(s).\n`,
      );
      for (const { part, reason } of missing) io.err(`Not ready: ${part}: ${reason}\n`);
    }
    await interrupted(io);
    await runtime.stop();
  });
}
