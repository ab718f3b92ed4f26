import { createServer } from "node:net";
import type { Listen } from "../../config/settings.ts";

/** `wanted` when its port is free, else the same host with a free port, and `onBusy` is told of both. */
export async function freeAddress(
  wanted: Listen,
  onBusy: (busy: number, taken: number) => void,
): Promise<Listen> {
  const port = (await portIfFree(wanted)) ?? (await portIfFree({ ...wanted, port: 0 }));
  if (port === undefined) return wanted;
  if (port !== wanted.port && wanted.port !== 0) onBusy(wanted.port, port);
  return { host: wanted.host, port };
}

function portIfFree({ host, port }: Listen): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(undefined));
    probe.listen(port, host, () => {
      const address = probe.address();
      const found = typeof address === "object" && address !== null ? address.port : port;
      probe.close(() => resolve(found));
    });
  });
}
