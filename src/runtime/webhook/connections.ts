import type { ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";

/** Limits of the open connections of a server that anyone can reach. */
export interface Connections {
  /** Limits the number of the server's connections. */
  readonly limit: (server: Server) => void;
  /** Marks a connection as the platform's: it has carried a valid signature. */
  readonly proven: (socket: Socket) => void;
  /**
   * Whether a request may wait for the responses to earlier requests on its connection. If too many requests wait, the
   * connection is closed: each of them holds memory, and the platform does not send many at once.
   */
  readonly mayWait: (socket: Socket, response: ServerResponse) => boolean;
}

/** Default limit of open connections. An idle one holds about 10 KB, and a file descriptor that the store may need. */
const MAX_CONNECTIONS = 2_000;
/** Limit of requests that wait on one connection. */
const MAX_WAITING = 32;

/**
 * Limits a server's connections. Above `max` connections, the oldest one that has carried no valid signature is closed,
 * so that idle connections can't keep new ones out. If all older ones have carried a signature, the new connection is
 * closed.
 *
 * @param max Limit of open connections; by default {@link MAX_CONNECTIONS}.
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
        const [oldest = socket] = unproven;
        // Deleted here, because the event `close` comes later, and further connections may arrive before it.
        unproven.delete(oldest);
        oldest.destroy();
      });
    },
    proven(socket) {
      if (unproven.delete(socket)) proven.add(socket);
    },
    mayWait(socket, response) {
      // A response without a socket waits: Node assigns the socket once the earlier responses are done.
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
