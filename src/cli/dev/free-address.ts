import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import type { Listen } from "../../config/settings.ts";
import { listen } from "../../system/listen.ts";

/**
 * Below the ports that systems give to outgoing connections: one of those may be taken between the moment
 * at which it is found free and the one at which the bot listens on it, which is a process start later.
 */
const [FIRST, END] = [12_000, 32_000];
const TRIES = 50;

/** `wanted` when its port is free, else the same host with a free port; `onBusy` is called with both. */
export async function freeAddress(
  wanted: Listen,
  onBusy: (busy: number, taken: number) => void,
): Promise<Listen> {
  if (wanted.port !== 0 && (await isFree(wanted))) return wanted;
  for (let left = TRIES; left > 0; left -= 1) {
    const other = { host: wanted.host, port: randomInt(FIRST, END) };
    if (!(await isFree(other))) continue;
    if (wanted.port !== 0) onBusy(wanted.port, other.port);
    return other;
  }
  // No address of this host can be listened on: the bot says so, with the system's reason.
  return wanted;
}

/** Whether something could listen there now. */
export async function isFree({ host, port }: Listen): Promise<boolean> {
  const probe = createServer();
  try {
    await listen(probe, port, host);
    return true;
  } catch {
    // Busy or not allowed: either way the bot can't listen there.
    return false;
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}
