import { Command, Option } from "commander";
import { withGracefulStop } from "../../graceful-stop.ts";
import { withExamples } from "../../help/examples.ts";
import { interrupted, type Io } from "../../io.ts";
import type { LogFormat } from "../../logs/log-streams.ts";
import { type CommonFlags, settingsFor, withSettings } from "../../arguments/settings-flags.ts";
import { visible } from "../../output/terminal-text.ts";
import { LOG_LEVELS, oneOf } from "../../arguments/one-of.ts";

interface RunFlags extends CommonFlags {
  readonly logLevel: string;
  readonly logFormat?: LogFormat;
  readonly logFile?: string;
  readonly dryRun?: true;
  readonly live?: boolean;
}

/** `run`: the bot alone, on the platform that the settings name. */
export function run(io: Io): Command {
  const command = withSettings(new Command("run"))
    .description("run the bot on the platform in the settings (target: sandbox or live)")
    .option("--json", "print one JSON object when ready")
    .option("--dry-run", "take real events in and send nothing: log and list what would go")
    .addOption(
      oneOf(new Option("--log-level <level>", "least severe level to log"), LOG_LEVELS).default(
        "info",
      ),
    )
    .addOption(
      oneOf(
        new Option("--log-format <format>", "how to log (default: text on a terminal, else json)"),
        ["text", "json"] satisfies LogFormat[],
      ),
    )
    .option("--log-file <file>", "also write the log, level info and above, to this file");
  return withGracefulStop(
    withExamples(command, [
      "answerback run --config config/answerback.yaml",
      "answerback run --dry-run --config config/answerback.yaml",
    ]),
  ).action(async (flags: RunFlags) => {
    const settings = await settingsFor(io, flags);
    const { launch } = await import("../../run/launch.ts");
    const { logLevel, logFile, dryRun } = flags;
    const { logFormat = io.interactive && flags.json !== true ? "text" : "json" } = flags;
    const launching = launch({ settings, io, logLevel, logFormat, logFile, dryRun });
    const runtime = await Promise.race([launching, interrupted(io)]);
    if (runtime === undefined) return stopped(io, async () => (await launching).stop());
    io.onHangup?.(() => void runtime.reload());
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
      if (accounts.length === 0) {
        io.err(`No account is linked, so nothing comes in: answerback login${ofSettings(flags)}\n`);
      }
      if (dryRun === true) {
        io.err("Dry run: nothing is sent, and nothing is kept. What would go: answerback outbox\n");
      }
      for (const { part, reason } of missing) io.err(`Not ready: ${part}: ${visible(reason)}\n`);
    }
    const died = await Promise.race([interrupted(io), runtime.died]);
    await stopped(io, () => runtime.stop());
    if (died !== undefined) throw died;
  });
}

/** Flags of another command for the same bot. */
function ofSettings({ live, config }: RunFlags): string {
  if (live === true) return " --live";
  return config === undefined ? "" : ` --config ${config}`;
}

/** Finishes what is under way, as far as there is time. */
async function stopped(io: Io, stop: () => Promise<void>): Promise<void> {
  const { settlesWithin } = await import("../../../runtime/loop/settles-within.ts");
  if (await settlesWithin(STOP_WITHIN_MS, stop())) return;
  io.err("Stopped with work under way; what is not done is on disk, for the next start.\n");
}

/** Ten seconds is what others wait between asking a process to stop and ending it. */
const STOP_WITHIN_MS = 8_000;
