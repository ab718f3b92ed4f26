import { freeAddress } from "../../src/cli/dev/free-address.ts";
import type { Listen } from "../../src/config/settings.ts";

/** Returns an address at which no server listens. The operating system never assigns its port to other sockets. */
export function ownAddress(): Promise<Listen> {
  return freeAddress({ host: "127.0.0.1", port: 0 }, () => {});
}

/** Environment in which `dev` listens on free ports, even if another `dev` has the usual ones or is about to take them. */
export const FREE_PORTS = {
  ANSWERBACK_WEBHOOK_LISTEN: "127.0.0.1:0",
  ANSWERBACK_CONSOLE_LISTEN: "127.0.0.1:0",
} as const;
