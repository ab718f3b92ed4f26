import { createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openStore } from "../../../../src/runtime/store/open.ts";
import { PostgresDatabase } from "../../../../src/runtime/store/postgres/database.ts";
import { mayAskForPassword, openToOthers } from "../../../../src/system/postgres-url.ts";
import { testDatabase, type TestDatabase } from "../../../postgres/databases.ts";

let database: TestDatabase | undefined;
let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const socket of sockets) socket.destroy();
  server?.close();
  await database?.giveBack();
  [database, server] = [undefined, undefined];
});

/** Starts a TCP server. @returns Its port. */
async function listening(onSocket: (socket: Socket) => void): Promise<number> {
  server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    onSocket(socket);
  });
  return new Promise((resolve) => {
    server?.listen(0, "127.0.0.1", () => {
      const address = server?.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

/** Creates an empty database, and runs a statement about it. `NAME` is the database's name. */
async function databaseWith(statement: string): Promise<string> {
  database = await testDatabase({ fresh: true });
  const name = new URL(database.url).pathname.slice(1);
  const admin = new PostgresDatabase(database.url);
  await admin.query(statement.replaceAll("NAME", name));
  await admin.close();
  return database.url;
}

describe("a session", () => {
  it("starts with parameters that PgBouncer accepts, also to listen", async () => {
    const names: (readonly string[])[] = [];
    const port = await listening((socket) => {
      socket.once("data", (chunk: Buffer) => {
        const words = chunk.toString("latin1", 8).split("\0");
        names.push(words.filter((word, place) => place % 2 === 0 && word !== ""));
        socket.end();
      });
    });
    const db = new PostgresDatabase(`postgres://bot@127.0.0.1:${port}/bot`);
    await expect(db.query("SELECT 1")).rejects.toThrow("can't be reached");
    const listener = { onNotification: () => {}, onEnd: () => {} };
    await expect(db.listen(["news"], listener)).rejects.toThrow("can't be reached");
    await db.close();

    const accepted = ["user", "database", "application_name", "client_encoding"];
    expect(names).toEqual([accepted, accepted]);
  });

  it("has its own timeouts and isolation, whatever the administrator has set", async () => {
    const url = await databaseWith(
      "ALTER DATABASE NAME SET default_transaction_isolation = 'repeatable read'",
    );
    const db = new PostgresDatabase(url, { statementTimeoutMs: 7_000 });
    const settings = ["statement_timeout", "idle_in_transaction_session_timeout"];
    const isolation = "default_transaction_isolation";
    const values = await db.query<{ setting: string }>(
      `SELECT setting FROM unnest($1::text[]) WITH ORDINALITY AS s (name, ord)
       JOIN pg_settings USING (name) ORDER BY ord`,
      [[...settings, isolation]],
    );
    await db.close();

    expect(values.map(({ setting }) => setting)).toEqual(["7000", "5000", "read committed"]);
  });

  it("creates the tables beside other processes under another default isolation", async () => {
    const url = await databaseWith(
      "ALTER DATABASE NAME SET default_transaction_isolation = 'repeatable read'",
    );
    const stores = await Promise.all([1, 2, 3].map(() => openStore(url)));

    expect(stores.map(({ partitions }) => partitions)).toEqual([64, 64, 64]);
    await Promise.all(stores.map((store) => store.close()));
  });
});

it("a database whose encoding lacks emoji is refused", async () => {
  const url = new URL(
    await databaseWith(
      "CREATE DATABASE NAME_latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
    ),
  );
  url.pathname += "_latin";
  const refusal = await openStore(url.href).then(
    (store) => store.close(),
    (error: unknown) => error,
  );
  const admin = new PostgresDatabase(database?.url ?? "");
  await admin.query(`DROP DATABASE ${url.pathname.slice(1)} WITH (FORCE)`);
  await admin.close();

  expect(refusal).toMatchObject({
    message: expect.stringContaining("LATIN1"),
    hint: expect.stringContaining("ENCODING 'UTF8'"),
  });
});

it("PGHOST counts as the host of a URL without one", () => {
  vi.stubEnv("PGHOST", "db.example");

  expect(openToOthers("postgres:///bot")?.message).toContain("on another machine");
  expect(mayAskForPassword("postgres:///bot")).toBe(false);
  expect(mayAskForPassword("postgres://127.0.0.1/bot")).toBe(true);
});
