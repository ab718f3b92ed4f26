import { freeAddress } from "../../src/cli/dev/free-address.ts";
import type { Listen } from "../../src/config/settings.ts";

const HOST = "127.0.0.1";
/** Below the ports that systems give to connections: one of those may be taken before it is listened on. */
const [FIRST, COUNT] = [12_000, 20_000];

let next = process.pid * 97;

/** An address that nobody listens on, and that nobody is given by the system, also after a while. */
export async function ownAddress(): Promise<Listen> {
  for (;;) {
    next += 1;
    const wanted = { host: HOST, port: FIRST + (next % COUNT) };
    const { port } = await freeAddress(wanted, () => {});
    if (port === wanted.port) return wanted;
  }
}
