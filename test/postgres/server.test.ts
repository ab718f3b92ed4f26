import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { when } from "../support/when.ts";
import { startPostgres, type TestPostgres } from "./server.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres({ durable: true });
});
afterAll(() => server.stop());

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

describe("a PostgreSQL server for tests", () => {
  it("creates separate databases", async () => {
    const [one, other] = [await server.createDatabase(), await server.createDatabase()];
    await ask(one, "CREATE TABLE here (n int)");

    expect(await ask(one, "SELECT count(*)::int FROM here")).toEqual([0]);
    await expect(ask(other, "SELECT * FROM here")).rejects.toThrow('"here" does not exist');
  });

  it("keeps committed data after a kill and a restart, at the same address", async () => {
    const url = await server.createDatabase();
    await ask(url, "CREATE TABLE kept (n int)");
    await ask(url, "INSERT INTO kept VALUES (7)");

    await server.kill();
    await expect(ask(url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
    await server.restart();

    expect(await ask(url, "SELECT n FROM kept")).toEqual([7]);
  });

  it("refuses connections without its password", async () => {
    const url = server.url("postgres").replace(/:[0-9a-f]+@/u, ":guess@");

    await expect(ask(url, "SELECT 1")).rejects.toThrow("password authentication failed");
  });

  it("ends, and its data with it, when the process that has started it is killed", async () => {
    const program = fileURLToPath(new URL("child-server.ts", import.meta.url));
    const child = spawn(
      process.execPath,
      ["--conditions=answerback-source", "--import", "tsx", program],
      {
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    const [url]: string[] = await once(createInterface(child.stdout), "line");
    const [data = ""] = url === undefined ? [] : await ask(url, "SHOW data_directory");
    const folder = dirname(String(data));
    expect(existsSync(folder)).toBe(true);

    child.kill("SIGKILL");

    await when(() => (existsSync(folder) ? undefined : true));
    await expect(ask(url ?? "", "SELECT 1")).rejects.toThrow("ECONNREFUSED");
  });
});
