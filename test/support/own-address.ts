import { freeAddress } from "../../src/cli/dev/free-address.ts";
import type { Listen } from "../../src/config/settings.ts";

/** An address that nobody listens on, and that nobody is given by the system, also after a while. */
export function ownAddress(): Promise<Listen> {
  return freeAddress({ host: "127.0.0.1", port: 0 }, () => {});
}
