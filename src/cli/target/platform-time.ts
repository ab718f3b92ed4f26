import { join } from "node:path";
import { readSandboxFile } from "../../runtime/platform.ts";
import { ControlClient } from "../../sandbox/control/client.ts";
import type { ClockReading } from "../../sandbox/control/objects.ts";
import { type CommonFlags, dataFolder, settingsFor } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { offsetInWords } from "../output/clock-offset.ts";

/**
 * Current time of the platform: the clock of the sandbox, which may be stopped, or of this machine if the folder has no
 * sandbox. Milliseconds since the epoch.
 */
export async function platformTime(folder: string): Promise<number> {
  const clock = await sandboxClock(folder);
  return clock === undefined ? Date.now() : Date.parse(clock.now);
}

/** Clock differences below this come from the delay of the response. Milliseconds. */
const SAME_MS = 2_000;

/** Prints that times are by the sandbox's clock, if this clock differs from this machine's. */
export async function tellClock(io: Io, flags: CommonFlags): Promise<void> {
  if (flags.json === true) return;
  const settings = await settingsFor(io, flags);
  if (settings.target !== "sandbox") return;
  const clock = await sandboxClock(dataFolder(settings));
  if (clock === undefined || Math.abs(clock.offset_ms) < SAME_MS) return;
  const offset = offsetInWords(clock.offset_ms);
  io.err(`Times are by the sandbox's clock, which is ${offset} of this machine's.\n`);
}

async function sandboxClock(
  folder: string,
): Promise<Pick<ClockReading, "now" | "offset_ms"> | undefined> {
  const file = await readSandboxFile(folder);
  if (file === undefined) return undefined;
  const control = new ControlClient(file.controlUrl, file.controlToken);
  const clock = await control.clock().catch(() => undefined);
  if (clock !== undefined) return clock;
  const { savedClock } = await import("../../sandbox/control/saved-clock.ts");
  // The sandbox reports damage of its world when it starts; here the machine's clock will do.
  return savedClock(join(folder, "world.jsonl"), Date.now()).catch(() => undefined);
}
