import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { testDatabase } from "../../../postgres/databases.ts";
import { PostgresDatabase } from "../../../../src/runtime/store/postgres/database.ts";

const PASSWORD = "not-for-strangers";
/** `Authentication…` messages of the PostgreSQL protocol, by the kind of response that they request. */
const ASKS = {
  "the password": [3],
  "the password under MD5": [5, 0x01020304],
} as const;

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server?.close();
});

/** Starts a server that pretends to be PostgreSQL: it requests the password, and records all received bytes. */
async function asking(words: readonly number[]): Promise<{ port: number; received: () => string }> {
  let received = "";
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => {
      const body = Buffer.concat(
        words.map((word) => {
          const bytes = Buffer.alloc(4);
          bytes.writeUInt32BE(word);
          return bytes;
        }),
      );
      const head = Buffer.from([0x52, 0, 0, 0, 4 + body.length]);
      socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
      socket.write(Buffer.concat([head, body]));
    });
  });
  const port = await new Promise<number>((resolve) => {
    server?.listen(0, "0.0.0.0", () => {
      const address = server?.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  return { port, received: () => received };
}

it.each(Object.entries(ASKS))(
  "a server on another machine that is not verified and asks for %s does not get it",
  async (_, words) => {
    const { port, received } = await asking(words);
    // The client trusts only loopback addresses. It treats 0.0.0.0 as remote, although it reaches this machine.
    const url = `postgres://bot:${PASSWORD}@0.0.0.0:${port}/bot?sslmode=disable`;
    const database = new PostgresDatabase(url, { connectTimeoutMs: 10_000 });

    await expect(database.query("SELECT 1")).rejects.toThrow("scram-sha-256");
    expect(received()).toBe("");
    await database.close();
  },
);

it("a server on another machine that asks by SCRAM gets its proof, and answers", async () => {
  const own = await testDatabase({ fresh: true });
  const elsewhere = new URL(own.url);
  elsewhere.hostname = "0.0.0.0";
  elsewhere.searchParams.set("sslmode", "disable");
  const database = new PostgresDatabase(elsewhere.href);

  expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await database.close();
  await own.giveBack();
});

it("a server on this machine that asks for the password gets it", async () => {
  const { port, received } = await asking(ASKS["the password"]);
  const url = `postgres://bot:${PASSWORD}@127.0.0.1:${port}/bot`;
  const database = new PostgresDatabase(url, { connectTimeoutMs: 10_000 });

  const query = database.query("SELECT 1");
  await expect.poll(received).toContain(PASSWORD);
  for (const socket of sockets) socket.destroy();
  await expect(query).rejects.toThrow("Connection terminated");
  await database.close();
});
