import { callRuntime } from "../../runtime/calls.ts";
import type { Answers, OperationName, Requests } from "../../runtime/vocabulary.ts";
import { NotRunningError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import {
  dataFolder,
  settingsFor,
  type SettingsFlags,
  startHint,
} from "../arguments/settings-flags.ts";

/**
 * Calls an operation of the bot that runs with these settings.
 *
 * @throws {NotRunningError} if no bot runs.
 */
export async function askRunning<Name extends OperationName>(
  io: Io,
  flags: SettingsFlags,
  name: Name,
  request: Requests[Name],
): Promise<Answers[Name]> {
  const settings = await settingsFor(io, flags);
  const folder = dataFolder(settings);
  const answer = await callRuntime(folder, name, request);
  if (answer !== undefined) return answer;
  throw new NotRunningError(`no bot runs with the data folder ${folder}`, {
    hint: startHint(settings),
  });
}
