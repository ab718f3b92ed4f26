import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { PostgresDatabase } from "../../../../src/runtime/store/postgres/database.ts";
import { listen } from "../../../../src/system/listen.ts";

type Row = Readonly<Record<string, string>>;

/** Returns a message of PostgreSQL's protocol. */
function message(type: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const int32 = (value: number): Buffer => Buffer.concat([int16(value >> 16), int16(value & 0xffff)]);
const READY = message("Z", "I");

/** Returns the messages of a result with one row of text columns. */
function resultOf(row: Row): Buffer {
  const columns = Object.keys(row).map((name) =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      int32(0),
      int16(0),
      int32(25),
      int16(-1),
      int32(-1),
      int16(0),
    ]),
  );
  const cells = Object.values(row).flatMap((cell) => [int32(cell.length), Buffer.from(cell)]);
  return Buffer.concat([
    message("T", int16(columns.length), ...columns),
    message("D", int16(columns.length), ...cells),
    message("C", "SELECT 1\0"),
  ]);
}

/**
 * Acts as a server that started at `startedAt`: breaks the connection at each COMMIT, and has committed a transaction
 * with the number 700.
 */
function serve(socket: Socket, startedAt: string): void {
  let isOpen = false;
  const answer = (text: string): readonly Buffer[] => {
    if (text.includes("BEGIN")) {
      return [message("C", "BEGIN\0"), resultOf({ number: "700", server: startedAt })];
    }
    if (text.includes("SHOW"))
      return [message("C", "SET\0"), resultOf({ synchronous_commit: "on" })];
    const isOther = text.includes("pg_postmaster_start_time") && !text.includes(startedAt);
    const status = isOther ? "other server" : "committed";
    return [message("1"), message("2"), resultOf({ status })];
  };
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    const text = bytes.toString("latin1");
    if (text.includes("COMMIT")) return void socket.destroy();
    const answers = isOpen ? answer(text) : [message("R", int32(0))];
    isOpen = true;
    socket.write(Buffer.concat([...answers, READY]));
  });
}

let close = async (): Promise<void> => {};
afterEach(() => close());

/** Runs a transaction that loses its connection during the commit. Another server may accept the next connections. */
async function outcome({ nextStart }: { readonly nextStart: string }): Promise<string> {
  let connections = 0;
  const server = createServer((socket) => serve(socket, connections++ === 0 ? "1.5" : nextStart));
  const port = await listen(server, 0);
  const db = new PostgresDatabase(`postgres://u@127.0.0.1:${port}/d`);
  close = async () => {
    await db.close();
    server.close();
  };
  return db.transaction(async () => "committed").catch(String);
}

describe("a connection that is lost during the commit", () => {
  it("does not change the outcome if the same server has committed", async () => {
    expect(await outcome({ nextStart: "1.5" })).toBe("committed");
  });

  it("leaves the outcome unknown if another server took over, in which the number may be of another transaction", async () => {
    expect(await outcome({ nextStart: "2.5" })).toContain("unknown whether the database committed");
  });
});
