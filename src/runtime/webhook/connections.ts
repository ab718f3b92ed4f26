import type { ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";

/** The open connections of a server that anybody can reach. */
export interface Connections {
  /** Keeps them within their number. */
  readonly limit: (server: Server) => void;
  /** The platform is at the other end: it has sent what nobody else can. */
  readonly proven: (socket: Socket) => void;
  /**
   * Whether a request may wait for those before it on its connection to be answered. Where too many do,
   * the connection is ended: each holds memory, and no client of ours sends many at once.
   */
  readonly mayWait: (socket: Socket, response: ServerResponse) => boolean;
}

/** A connection that does nothing holds some 10 KB, and a file descriptor that the store may need. */
const MAX_CONNECTIONS = 2_000;
const MAX_WAITING = 32;

/**
 * No connection keeps another out: where there are too many, the oldest that has not proven anything gives way.
 *
 * @param max {@link MAX_CONNECTIONS} unless said.
 */
export function openConnections(max: number = MAX_CONNECTIONS): Connections {
  const unproven = new Set<Socket>();
  const proven = new Set<Socket>();
  const waiting = new WeakMap<Socket, number>();
  return {
    limit(server) {
      server.on("connection", (socket: Socket) => {
        unproven.add(socket);
        socket.once("close", () => {
          unproven.delete(socket);
          proven.delete(socket);
        });
        if (unproven.size + proven.size <= max) return;
        const [oldest] = unproven;
        oldest?.destroy();
      });
    },
    proven(socket) {
      if (unproven.delete(socket)) proven.add(socket);
    },
    mayWait(socket, response) {
      // Node gives a response its socket once those before it are done.
      if (response.socket !== null) return true;
      const count = (waiting.get(socket) ?? 0) + 1;
      if (count > MAX_WAITING) {
        socket.destroy();
        return false;
      }
      waiting.set(socket, count);
      response.once("close", () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
      return true;
    },
  };
}
