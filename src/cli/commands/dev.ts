import { Command } from "commander";
import { endingItself } from "../ending.ts";
import { withExamples } from "../examples.ts";
import { ended, type Io } from "../io.ts";
import { port } from "../ports.ts";
import { settingsFor, withSettings, type SettingsFlags } from "../settings-flags.ts";

export interface DevFlags extends SettingsFlags {
  readonly port?: number;
  readonly ephemeral?: boolean;
  readonly fresh?: boolean;
  readonly logLevel: string;
}

/** `dev`: sandbox and bot together, so that there is somebody to talk to within seconds. */
export function dev(io: Io): Command {
  const command = withSettings(new Command("dev"))
    .description("run sandbox and bot together on this machine")
    .option("-p, --port <port>", "port of the sandbox (default: any free one)", port)
    .option("--fresh", "begin with a new world and an empty store; the old ones are moved aside")
    .option("--ephemeral", "begin afresh and keep nothing")
    .option("--log-level <level>", "of the bot: debug, info, warn, error or silent", "warn");
  const examples = [
    "answerback dev",
    "answerback dev --fresh",
    "answerback dev --ephemeral --port 0",
  ];
  return endingItself(withExamples(command, examples)).action(async (flags: DevFlags) => {
    const settings = await settingsFor(io, flags);
    const { startDev } = await import("../dev/start-dev.ts");
    const stop = await startDev(settings, flags, io);
    await ended(io);
    io.err("\nStopping: finishing what is under way.\n");
    await stop();
  });
}
