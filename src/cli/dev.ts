import { Command } from "commander";
import { ended, type Io } from "./io.ts";
import { port } from "./sandbox.ts";
import { settingsFor, withSettings, type SettingsFlags } from "./settings-flags.ts";

export interface DevFlags extends SettingsFlags {
  readonly port?: number;
  readonly ephemeral?: boolean;
  readonly logLevel: string;
}

/** `dev`: sandbox and bot together, so that there is somebody to talk to within seconds. */
export function dev(io: Io): Command {
  return withSettings(new Command("dev"))
    .description("run sandbox and bot together on this machine")
    .option("-p, --port <port>", "port of the sandbox (default: any free one)", port)
    .option("--ephemeral", "begin afresh and keep nothing")
    .option("--log-level <level>", "of the bot: debug, info, warn, error or silent", "warn")
    .addHelpText("after", "\nExamples:\n  answerback dev\n  answerback dev --ephemeral --port 0\n")
    .action(async (flags: DevFlags) => {
      const settings = await settingsFor(io, flags);
      const { startDev } = await import("./start-dev.ts");
      const stop = await startDev(settings, flags, io);
      await ended(io);
      io.err("\nStopping: finishing what is under way.\n");
      await stop();
    });
}
