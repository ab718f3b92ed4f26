import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import type { Listen } from "../../config/settings.ts";
import { listen } from "../../system/listen.ts";

/**
 * Port range below the ephemeral ports, which systems assign to outgoing connections. An ephemeral port could be taken
 * after the check and before another process starts the bot.
 */
const [FIRST, END] = [12_000, 32_000];
const TRIES = 50;

/** Returns `wanted` if its port is free, else its host with a free port; `onBusy` gets the busy and the new port. */
export async function freeAddress(
  wanted: Listen,
  onBusy: (busy: number, newPort: number) => void,
): Promise<Listen> {
  if (wanted.port !== 0 && (await isFree(wanted))) return wanted;
  for (let remainingTries = TRIES; remainingTries > 0; remainingTries -= 1) {
    const other = { host: wanted.host, port: randomInt(FIRST, END) };
    if (!(await isFree(other))) continue;
    if (wanted.port !== 0) onBusy(wanted.port, other.port);
    return other;
  }
  // No port of this host can be used; the bot reports the system's reason when it starts.
  return wanted;
}

/** Whether a server could listen at an address now. */
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
