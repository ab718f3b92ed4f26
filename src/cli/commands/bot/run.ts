import { settlesWithin } from "../../../system/time/settles-within.ts";
import { withSameSettings } from "../../output/same-settings.ts";
import { interfacesOf } from "../../output/source-line.ts";
import { Command, Option } from "commander";
import type { RuntimeStatus } from "../../../runtime/vocabulary.ts";
import type { RoleSetting } from "../../../config/settings.ts";
import { withGracefulStop } from "../../graceful-stop.ts";
import { withExamples } from "../../help/examples.ts";
import { interrupted, type Io } from "../../io.ts";
import type { LogFormat } from "../../logs/log-streams.ts";
import { messageOf } from "../../../system/error-message.ts";
import {
  type CommonFlags,
  settingsFor,
  wholePath,
  withSettings,
} from "../../arguments/settings-flags.ts";
import { visible } from "../../../text/unseen.ts";
import { LOG_LEVELS, oneOf } from "../../arguments/one-of.ts";
import { tellWarnings } from "../../../system/process-warnings.ts";

interface RunFlags extends CommonFlags {
  readonly logLevel: string;
  readonly logFormat?: LogFormat;
  readonly logFile?: string;
  readonly dryRun?: true;
}

/** `run`: runs the bot without a sandbox, on the platform of the settings. */
export function run(io: Io): Command {
  const command = withSettings(new Command("run"))
    .description("run the bot on the platform in the settings (target: sandbox or live)")
    .option("--json", "print one JSON object when ready")
    .option("--dry-run", "receive real events but send nothing; log each answer that would be sent")
    .addOption(
      oneOf(
        new Option("--role <role>", "what this process does (default: role: of the settings)"),
        ["all", "receiver", "worker"] satisfies RoleSetting[],
      ),
    )
    .option("--process-name <name>", "prefix of this process's name in status, metrics and the log")
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
    .option(
      "--log-file <file>",
      "also write the log, level info and above, to this file",
      wholePath,
    );
  return withGracefulStop(
    withExamples(command, [
      "answerback run --config config/answerback.yaml",
      "answerback run --dry-run --config config/answerback.yaml",
      "answerback run --role worker --config config/answerback.yaml",
    ]),
  ).action((flags: RunFlags) => runBot(io, flags));
}

/** Runs the bot until it is interrupted or dies. */
async function runBot(io: Io, flags: RunFlags): Promise<void> {
  io.ends?.endWithReader();
  const settings = await settingsFor(io, flags);
  const { launch } = await import("../../run/launch.ts");
  const { logLevel, logFile, dryRun } = flags;
  const { logFormat = io.interactive && flags.json !== true ? "text" : "json" } = flags;
  // Node's own warnings are plain text and would break a log of JSON lines.
  const printAgain = tellWarnings((text) => say(io, logFormat, text, WARN));
  try {
    const launching = launch({
      settings,
      flags,
      io,
      logLevel,
      logFormat,
      logFile,
      dryRun,
      shownProblems: logFormat === "text" || flags.json === true,
    });
    const runtime = await Promise.race([launching, interrupted(io)]);
    if (runtime === undefined)
      return await stopped(io, logFormat, async () => (await launching).stop());
    io.ends?.onHangup(() => {
      runtime.reload().catch((error: unknown) => {
        say(io, logFormat, `The files could not be reloaded: ${messageOf(error)}`, ERROR);
      });
    });
    const status = await runtime.status();
    if (flags.json === true) {
      const { controlUrl } = runtime;
      io.out(`${JSON.stringify({ event: "ready", control_url: controlUrl, status })}\n`);
    } else {
      for (const line of opening(status, flags)) say(io, logFormat, withSameSettings(line, flags));
    }
    const died = await Promise.race([interrupted(io), runtime.died]);
    await stopped(io, logFormat, () => runtime.stop());
    if (died !== undefined) throw died;
  } finally {
    printAgain();
  }
}

/** Messages for the operator when the bot has started, such as `Ready: …, 1 account(s), 3 rule(s), 0 bot(s).` */
function opening(
  { webhook, accounts, rules, bots, missing, source }: RuntimeStatus,
  flags: RunFlags,
): readonly string[] {
  const by = interfacesOf(source);
  const called = `${webhook.url} at ${webhook.listen}${by === undefined ? "" : ` by ${by}`}`;
  const events = source === "polling" ? "polling" : called;
  const state = missing.length === 0 ? "Ready" : "Running";
  return [
    `${state}: ${events}, ${accounts.length} account(s), ${rules.count} rule(s), ${bots.length} bot(s).`,
    ...(accounts.length === 0
      ? ["No account is linked, so nothing comes in: answerback login"]
      : []),
    ...(flags.dryRun === true
      ? ["Dry run: nothing is sent, and nothing is kept. What would go: answerback outbox"]
      : []),
    ...missing.map(({ part, reason }) => `Not ready: ${part}: ${reason}`),
  ];
}

/** Prints a message on stderr in the form of the log. */
function say(io: Io, logFormat: LogFormat, text: string, level = INFO): void {
  const time = new Date().toISOString();
  const line = logFormat === "json" ? JSON.stringify({ level, time, msg: text }) : visible(text);
  io.err(`${line}\n`);
}

/** Numeric log levels. */
const INFO = 30;
const WARN = 40;
const ERROR = 50;

/** Stops the bot, and reports if work in progress did not finish in time. */
async function stopped(io: Io, logFormat: LogFormat, stop: () => Promise<void>): Promise<void> {
  if (await settlesWithin(STOP_WITHIN_MS, stop())) return;
  say(
    io,
    logFormat,
    "Stopped with work under way; what is not done is on disk, for the next start.",
  );
}

/** Time limit of a stop; supervisors usually kill a process ten seconds after asking it to stop. */
const STOP_WITHIN_MS = 8_000;
