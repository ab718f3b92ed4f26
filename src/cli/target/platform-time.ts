import { readSandboxFile } from "../../runtime/platform/sandbox-file.ts";
import { ControlClient } from "../../sandbox/control/client.ts";

/** The platform's time: the sandbox's, where the bot's sandbox runs. Milliseconds since the epoch. */
export async function platformTime(folder: string): Promise<number> {
  const file = await readSandboxFile(folder);
  if (file === undefined) return Date.now();
  const control = new ControlClient(file.controlUrl, file.controlToken);
  const clock = await control.get<{ now: string }>("/clock").catch(() => undefined);
  return clock === undefined ? Date.now() : Date.parse(clock.now);
}
