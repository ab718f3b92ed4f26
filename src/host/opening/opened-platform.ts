import { hostname } from "node:os";
import type { Settings } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import type { Clock } from "../../runtime/clock/clock.ts";
import { liveClock } from "../../runtime/clock/platform-clock.ts";
import { followSandboxClock } from "../../runtime/clock/sandbox-clock.ts";
import type { PlatformAccess } from "../../runtime/platform/clients.ts";
import { readSandboxFile, type SandboxFile } from "../../runtime/platform/sandbox-file.ts";
import type { BotParts } from "../parts.ts";

/** Name of the store's value with the latest time of the sandbox's clock. */
const SHOWN_CLOCK = "sandbox-clock";
/**
 * Prefix of the name of the store's value with the live platform's clock offset in milliseconds. The machine's name
 * follows.
 */
const PLATFORM_CLOCK = "platform-clock";

/** Opens the clock of the platform: the sandbox's clock, or the live platform's as its HTTP responses show it. */
export async function clockOf(
  sandbox: SandboxFile | undefined,
  { baseUrl }: PlatformAccess,
  { store, log, cleanup }: Pick<BotParts, "store" | "log" | "cleanup">,
): Promise<Clock> {
  if (sandbox === undefined) {
    const name = `${PLATFORM_CLOCK}:${hostname()}`;
    const memory = {
      read: () => store.getMeta(name),
      write: (text: string) => store.setMeta(name, text),
    };
    return liveClock({ baseUrl, log, memory });
  }
  const { controlUrl: url, controlToken: token } = sandbox;
  const followed = await followSandboxClock({ url, token }, log, {
    read: () => store.getMeta(SHOWN_CLOCK),
    write: (text) => store.setMeta(SHOWN_CLOCK, text),
  });
  cleanup.add("the sandbox's clock", () => followed.close());
  return followed;
}

/** Reads the sandbox's file. @throws {UsageError} when no sandbox was started with the data folder. */
export async function sandboxOf(settings: Settings, folder: string): Promise<SandboxFile> {
  const file = await readSandboxFile(folder);
  if (file !== undefined) return file;
  throw new UsageError(
    `the target is the sandbox, but no sandbox is running with the data folder ${folder}`,
    {
      hint: `start both with: answerback dev   (or set target: live in ${settings.file ?? "config/answerback.yaml"})`,
    },
  );
}
