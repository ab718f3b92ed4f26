import { AnswerbackError, UsageError } from "../../errors.ts";
import { ControlClient } from "../../sandbox/control/client.ts";
import { ControlError } from "../../sandbox/control/connection.ts";
import { NotRunningError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { readSandboxFile } from "../../runtime/platform.ts";
import type { SandboxFile } from "../../runtime/vocabulary.ts";
import { isAlive } from "../../system/is-alive.ts";
import { dataFolder, type SettingsFlags } from "../arguments/settings-flags.ts";
import { whereabouts, type Whereabouts } from "../arguments/whereabouts.ts";

/** At-sign before a handle; full-width as some keyboards type it. */
const AT_SIGN = /^[@\uff20]/;

/** Error with which the sandbox refused a request. */
export class SandboxRefusedError extends AnswerbackError {
  override readonly name = "SandboxRefusedError";
  readonly code = "sandbox-refused";
  readonly retryable = false;
}

/** Codes of the control API for values that its schema does not accept. */
const INVALID: ReadonlySet<string> = new Set(["invalid_request", "invalid_app"]);

/** Connection to the control API of a sandbox that `dev` runs. */
export class LocalSandbox extends ControlClient {
  readonly file: SandboxFile;
  readonly folder: string;

  constructor(file: SandboxFile, folder: string) {
    super(file.controlUrl, file.controlToken);
    this.file = file;
    this.folder = folder;
  }

  /**
   * Sends a request to the sandbox.
   *
   * @throws {UsageError} if the request has an invalid value, which comes from the command line.
   * @throws {SandboxRefusedError} if the sandbox refuses the request for another reason.
   * @throws {NotRunningError} if the sandbox does not answer.
   */
  override async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    try {
      return await super.call<T>(method, path, body);
    } catch (error) {
      if (error instanceof ControlError) {
        const { code, message } = error;
        if (INVALID.has(code)) throw new UsageError(message, { cause: error });
        throw new SandboxRefusedError(error.message, { cause: error });
      }
      throw notAnswering(this.folder, error);
    }
  }

  /** Returns the sandbox user with a handle; creates the user if missing. */
  async person(handle: string): Promise<{ readonly id: string; readonly username: string }> {
    const username = handle.replace(AT_SIGN, "");
    return (await this.find(username)) ?? { id: await this.user(username), username };
  }

  /** Returns the sandbox user with a handle; undefined if there is none. */
  async find(
    handle: string,
  ): Promise<{ readonly id: string; readonly username: string } | undefined> {
    const [matchingUser] = await this.users(handle.replace(AT_SIGN, ""));
    return matchingUser;
  }
}

/**
 * Returns the sandbox that `dev` runs for these settings.
 *
 * @throws {UsageError} if the settings have `target: live`.
 * @throws {NotRunningError} if no sandbox runs.
 */
export async function localSandbox(io: Io, flags: SettingsFlags): Promise<LocalSandbox> {
  return sandboxOf(await whereabouts(io, flags));
}

/** Like {@link localSandbox}, for settings that have been loaded. */
export async function sandboxOf(settings: Whereabouts): Promise<LocalSandbox> {
  if (settings.target !== "sandbox") {
    throw new UsageError("this command needs the sandbox, and the settings have target: live", {
      hint: "set target: sandbox in the settings, or ANSWERBACK_TARGET=sandbox in the environment",
    });
  }
  const folder = dataFolder(settings);
  const file = await readSandboxFile(folder);
  if (file !== undefined && isAlive(file.pid)) return new LocalSandbox(file, folder);
  throw notAnswering(folder);
}

function notAnswering(folder: string, cause?: unknown): NotRunningError {
  return new NotRunningError(`no sandbox is running with the data folder ${folder}`, {
    cause,
    hint: "start sandbox and bot in another terminal with: answerback dev",
  });
}
