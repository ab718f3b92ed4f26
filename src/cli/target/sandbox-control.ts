import { AnswerbackError, UsageError } from "../../errors.ts";
import type { Settings } from "../../config/settings.ts";
import { ControlClient, ControlError } from "../../sandbox/control/client.ts";
import { NotRunningError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { isAlive, readSandboxFile, type SandboxFile } from "../dev/sandbox-file.ts";
import { dataFolder, settingsFor, type SettingsFlags } from "../settings-flags.ts";

/** The sandbox refused what was asked of it. */
export class SandboxRefusedError extends AnswerbackError {
  override readonly name = "SandboxRefusedError";
  readonly code = "E_SANDBOX_REFUSED";
  readonly retryable = false;
}

/** A sandbox that `dev` runs, as the commands speak to it. */
export class LocalSandbox extends ControlClient {
  readonly file: SandboxFile;
  readonly folder: string;

  constructor(file: SandboxFile, folder: string) {
    super(file.controlUrl, file.controlToken);
    this.file = file;
    this.folder = folder;
  }

  /**
   * @throws {SandboxRefusedError} where the sandbox refuses.
   * @throws {NotRunningError} where it does not answer.
   */
  override async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    try {
      return await super.call<T>(method, path, body);
    } catch (error) {
      if (error instanceof ControlError) {
        throw new SandboxRefusedError(error.message, { cause: error });
      }
      throw silent(this.folder, error);
    }
  }

  /** The person of that handle, made when there is nobody of that name. */
  async person(handle: string): Promise<{ readonly id: string; readonly username: string }> {
    const username = handle.replace(/^@/, "");
    return (await this.find(username)) ?? { id: await this.user(username), username };
  }

  /** The person of that handle, if there is one. */
  async find(
    handle: string,
  ): Promise<{ readonly id: string; readonly username: string } | undefined> {
    const username = encodeURIComponent(handle.replace(/^@/, ""));
    const { users } = await this.get<{ users: { id: string; username: string }[] }>(
      `/users?username=${username}`,
    );
    return users[0];
  }
}

/**
 * The sandbox that `dev` runs for these settings.
 *
 * @throws {UsageError} when the settings say `target: live`.
 * @throws {NotRunningError} when none runs.
 */
export async function localSandbox(io: Io, flags: SettingsFlags): Promise<LocalSandbox> {
  return sandboxOf(await settingsFor(io, flags));
}

/** As {@link localSandbox}, for settings that are read already. */
export async function sandboxOf(settings: Settings): Promise<LocalSandbox> {
  if (settings.target !== "sandbox") {
    throw new UsageError("this is about the sandbox, and the settings say target: live", {
      hint: "use it with settings that say target: sandbox, or with ANSWERBACK_TARGET=sandbox",
    });
  }
  const folder = dataFolder(settings);
  const file = await readSandboxFile(folder);
  if (file !== undefined && isAlive(file.pid)) return new LocalSandbox(file, folder);
  throw silent(folder);
}

function silent(folder: string, cause?: unknown): NotRunningError {
  return new NotRunningError(`nothing runs with the data folder ${folder}`, {
    cause,
    hint: "start sandbox and bot in another terminal: answerback dev   (npm start in the repository)",
  });
}
