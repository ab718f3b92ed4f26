import { createServer } from "node:net";
import type { Listen } from "../../config/settings.ts";
import { listen } from "../../system/listen.ts";

/** `wanted` when its port is free, else the same host with a free port; `onBusy` is called with both. */
export async function freeAddress(
  wanted: Listen,
  onBusy: (busy: number, taken: number) => void,
): Promise<Listen> {
  const port = (await portIfFree(wanted)) ?? (await portIfFree({ ...wanted, port: 0 }));
  if (port === undefined) return wanted;
  if (port !== wanted.port && wanted.port !== 0) onBusy(wanted.port, port);
  return { host: wanted.host, port };
}

async function portIfFree({ host, port }: Listen): Promise<number | undefined> {
  const probe = createServer();
  try {
    return await listen(probe, port, host);
  } catch {
    // Busy or not allowed: either way the bot can't listen there.
    return undefined;
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}
