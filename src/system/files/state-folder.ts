import { isAbsolute, join } from "node:path";

/**
 * Returns the folder for data that belongs to this machine and not to one bot. Undefined if the environment variables
 * name no folder, as in many containers.
 *
 * @param environment `XDG_STATE_HOME` takes precedence over `.local/state` of `HOME`.
 */
export function stateFolder(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { XDG_STATE_HOME: state, HOME: home } = environment;
  if (state !== undefined && isAbsolute(state)) return join(state, "answerback");
  if (home === undefined || !isAbsolute(home)) return undefined;
  return join(home, ".local", "state", "answerback");
}
