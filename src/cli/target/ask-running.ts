import { askRuntime } from "../../runtime/control/ask.ts";
import { NotRunningError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { dataFolder, settingsFor, type SettingsFlags } from "../settings-flags.ts";

/**
 * Asks the bot that runs for these settings.
 *
 * @throws {NotRunningError} when none runs.
 */
export async function askRunning<T>(io: Io, flags: SettingsFlags, path: string): Promise<T> {
  const folder = dataFolder(await settingsFor(io, flags));
  const told = await askRuntime<T>(folder, path);
  if (told !== undefined) return told;
  throw new NotRunningError(`no bot runs with the data folder ${folder}`, {
    hint: "start one with: answerback run, or answerback dev for sandbox and bot together",
  });
}
