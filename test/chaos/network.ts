import type { Listen } from "../../src/config/settings.ts";
import { connect, createServer, type Socket } from "node:net";

/** Kind of network failure: connections are reset and refused, or all data is held back. */
export type Cut = "refusing" | "silent";

/** Connection from a process to a server, which can be cut and restored. */
export interface Network {
  readonly port: number;
  /**
   * Cuts the connection. `refusing`: existing and new connections are reset. `silent`: data is held back, and arrives
   * late after {@link heal}.
   */
  cut(how: Cut): void;
  heal(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly inside: Socket;
  readonly outside: Socket;
}

/** @param target Address of the server to which the proxy connects. */
export async function network({ host, port }: Listen): Promise<Network> {
  const pairs = new Set<Pair>();
  let state: Cut | "whole" = "whole";
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (inside) => {
    if (state === "refusing") {
      // A reset on a connection that the process has already closed causes an error event; it is ignored.
      inside.on("error", () => {}).resetAndDestroy();
      return;
    }
    const outside = connect({ host, port, allowHalfOpen: true });
    const pair = { inside, outside };
    pairs.add(pair);
    join(pair, () => pairs.delete(pair));
    outside.pause();
    if (state === "whole") resume(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the network has no port");
  const reset = (): void => {
    for (const { inside, outside } of pairs) {
      inside.resetAndDestroy();
      outside.resetAndDestroy();
    }
  };
  return {
    port: address.port,
    cut(how) {
      state = how;
      if (how === "refusing") reset();
      else for (const pair of pairs) pause(pair);
    },
    heal() {
      state = "whole";
      for (const pair of pairs) resume(pair);
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      reset();
      await closed;
    },
  };
}

/** Pipes each end into the other, and passes on half-closes and errors. */
function join({ inside, outside }: Pair, onEnded: () => void): void {
  const both = [
    [inside, outside],
    [outside, inside],
  ] as const;
  for (const [from, to] of both) {
    from.setNoDelay(true);
    from.on("data", (bytes) => void to.write(bytes));
    from.on("end", () => void to.end());
    // The "close" handler below ends the other side of a broken connection.
    from.on("error", () => to.destroy());
    from.on("close", () => {
      if (from.errored !== null || !to.writable) to.destroy();
      onEnded();
    });
  }
}

function pause({ inside, outside }: Pair): void {
  inside.pause();
  outside.pause();
}

function resume({ inside, outside }: Pair): void {
  inside.resume();
  outside.resume();
}
