import { Command, Option } from "commander";
import { withGracefulStop } from "../../graceful-stop.ts";
import { withExamples } from "../../help/examples.ts";
import { interrupted, type Io } from "../../io.ts";
import { port } from "../../arguments/ports.ts";
import { settingsFor, withSettings } from "../../arguments/settings-flags.ts";
import type { DevOptions } from "../../dev/start-dev.ts";
import { LOG_LEVELS, oneOf } from "../../arguments/one-of.ts";

/** `dev`: runs a sandbox and the bot together, to develop a bot. */
export function dev(io: Io): Command {
  const command = withSettings(new Command("dev"))
    .description("run a sandbox and the bot together on this machine")
    .option("-p, --port <port>", "port of the sandbox (default: any free one)", port)
    .option("--fresh", "start with new data; the old data folder is renamed")
    .option("--ephemeral", "use a temporary data folder and delete it at the end")
    .option("--limits", "enforce the live platform's rate limits in the sandbox (default: off)")
    .addOption(
      oneOf(
        new Option("--log-level <level>", "least severe level that the bot logs"),
        LOG_LEVELS,
      ).default("warn"),
    );
  const examples = [
    "answerback dev",
    "answerback dev --fresh",
    "answerback dev --limits",
    "answerback dev --ephemeral --port 0",
  ];
  return withGracefulStop(withExamples(command, examples)).action(async (flags: DevOptions) => {
    io.ends?.endWithReader();
    io.err(io.colors.dim("Starting the sandbox and the bot …\n"));
    const { onStarterGone } = await import("../../dev/starter-gone.ts");
    const unwatch = onStarterGone({ env: io.env }, () => process.kill(process.pid, "SIGTERM"));
    const settings = await settingsFor(io, flags);
    const { startDev } = await import("../../dev/start-dev.ts");
    const stop = await startDev(settings, flags, io);
    await interrupted(io);
    io.err("\nStopping: finishing work in progress.\n");
    await stop();
    unwatch();
  });
}
