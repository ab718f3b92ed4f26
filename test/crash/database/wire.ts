import { connect, createServer, type Socket } from "node:net";
import type { Listen } from "../../../src/config/settings.ts";
import { listen } from "../../../src/system/listen.ts";
import type { DatabaseStrike, Keeping, Stage } from "./points.ts";

/** Proxy between a bot and its database, which can hold back a statement's bytes. */
export interface DatabaseWire {
  readonly port: number;
  /**
   * Stops the connection when the `pass`-th chunk of bytes with a statement of the kind reaches the stage: later bytes
   * are not passed on. A chunk can't be stopped in its middle, so several statements in it count once. Only one wait is
   * possible at a time.
   *
   * @returns Whether the stage was reached; false after {@link giveUp}.
   */
  reached(strike: Pick<DatabaseStrike, "keeping" | "stage">, pass: number): Promise<boolean>;
  /** Ends a wait. */
  giveUp(): void;
  close(): Promise<void>;
}

interface Wait {
  readonly keeping: Keeping;
  readonly stage: Stage;
  readonly resolve: (isReached: boolean) => void;
  remaining: number;
}

/** Opens a proxy to the server at this address. */
export async function databaseWire({ host, port: target }: Listen): Promise<DatabaseWire> {
  const open = new Set<Socket>();
  let wait: Wait | undefined;
  /** Counts a chunk with these statements for the current wait. Returns the wait if it ends with this chunk. */
  const stopAt = (seen: readonly Keeping[]): Wait | undefined => {
    if (wait === undefined || !seen.includes(wait.keeping)) return undefined;
    wait.remaining -= 1;
    if (wait.remaining > 0) return undefined;
    const stopped = wait;
    wait = undefined;
    return stopped;
  };
  const server = createServer((inside) => {
    const outside = connect({ host, port: target });
    open.add(inside).add(outside);
    const keepingIn = statementsOf();
    let isStopped = false;
    let onAnswer: ((answer: Buffer) => void) | undefined;
    inside.on("data", (bytes: Buffer) => {
      if (isStopped) return;
      const stopped = stopAt(keepingIn(bytes));
      if (stopped?.stage !== "unsent") outside.write(bytes);
      if (stopped === undefined) return;
      isStopped = true;
      const { stage, resolve } = stopped;
      if (stage === "unsent" || stage === "under-way") resolve(true);
      else {
        onAnswer = (answer) => {
          if (stage === "answered") inside.write(answer);
          resolve(true);
        };
      }
    });
    outside.on("data", (bytes: Buffer) => {
      if (!isStopped) return void inside.write(bytes);
      onAnswer?.(bytes);
      onAnswer = undefined;
    });
    // Bytes that the proxy has already passed on arrive even if their sender has been killed.
    for (const [from, to] of [[inside, outside] as const, [outside, inside] as const]) {
      from.setNoDelay(true);
      from.on("error", () => to.destroySoon());
      from.on("close", () => {
        open.delete(from);
        to.destroySoon();
      });
    }
  });
  const port = await listen(server, 0);
  const giveUp = (): void => {
    wait?.resolve(false);
    wait = undefined;
  };
  return {
    port,
    reached: (strike, pass) =>
      new Promise((resolve) => (wait = { ...strike, remaining: pass, resolve })),
    giveUp,
    async close() {
      giveUp();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/**
 * Returns a function that finds the {@link KEEPING} statements among the bytes sent to the server on one connection. A
 * prepared statement is recognized by the name with which its text came first.
 */
function statementsOf(): (bytes: Buffer) => readonly Keeping[] {
  const appends = new Set<string>();
  return (bytes) => {
    const text = bytes.toString("latin1");
    for (const [, name = ""] of text.matchAll(NAMED_APPEND)) appends.add(`${name}\0`);
    const isAppend = text.includes(APPEND) || [...appends].some((name) => text.includes(name));
    return [
      ...(text.includes(COMMIT) ? ["commit" as const] : []),
      ...(isAppend ? ["append" as const] : []),
    ];
  };
}

const COMMIT = "COMMIT\0";
const APPEND = "INSERT INTO journal";
// oxlint-disable-next-line no-control-regex -- a name ends with it
const NAMED_APPEND = /(answerback-\d+)\0[^\0]*INSERT INTO journal/gu;
