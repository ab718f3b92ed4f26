import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import pg from "pg";
import { openStore } from "../../../../src/runtime/store/open.ts";
import {
  PostgresDatabase,
  type ServerRisk,
} from "../../../../src/runtime/store/postgres/database.ts";
import { startPostgres, type TestPostgres } from "../../../postgres/server.ts";
import { when } from "../../../support/when.ts";
import { entry } from "../builders.ts";

let server: TestPostgres;
let url: string;
beforeAll(async () => {
  server = await startPostgres({ durable: true });
  url = server.url("postgres");
});
afterAll(() => server.stop());

beforeEach(async () => {
  url = await server.createDatabase();
});

async function administer(...statements: readonly string[]): Promise<void> {
  await ask(...statements);
}

/** Runs SQL statements. @returns The first value of the last statement's result. */
async function ask(...statements: readonly string[]): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let value: unknown;
    for (const text of statements) {
      const { rows } = await client.query<unknown[]>({ text, rowMode: "array" });
      value = rows[0]?.[0];
    }
    return value;
  } finally {
    await client.end();
  }
}

const name = (): string => new URL(url).pathname.slice(1);

/** Changes a setting of the server. Resolves when new sessions have the new value. */
async function setOfServer(setting: string, value: "on" | "off"): Promise<void> {
  await administer(`ALTER SYSTEM SET ${setting} = ${value}`, "SELECT pg_reload_conf()");
  await when(async () => ((await ask(`SHOW ${setting}`)) === value ? true : undefined));
}

/** Returns the value of `synchronous_commit` in the sessions of a store. */
async function commitsOf(address: string): Promise<unknown> {
  const db = new PostgresDatabase(address);
  const [row] = await db.query<{ synchronous_commit: string }>("SHOW synchronous_commit");
  await db.close();
  return row?.synchronous_commit;
}

describe("a session commits durably", () => {
  it.each([
    {
      what: "the server",
      set: () => setOfServer("synchronous_commit", "off"),
      reset: () => setOfServer("synchronous_commit", "on"),
    },
    {
      what: "the database",
      set: () => administer(`ALTER DATABASE ${name()} SET synchronous_commit = off`),
      reset: () => administer(`ALTER DATABASE ${name()} RESET ALL`),
    },
    {
      what: "the role",
      set: () => administer("ALTER ROLE CURRENT_USER SET synchronous_commit = off"),
      reset: () => administer("ALTER ROLE CURRENT_USER RESET ALL"),
    },
  ])("where $what has synchronous_commit = off", async ({ set, reset }) => {
    await set();
    const committed = await commitsOf(url);
    await reset();

    expect(committed).toBe("on");
  });

  it.each([
    { has: "off", commits: "on", why: "a crash would lose what was acknowledged" },
    { has: "local", commits: "local", why: "the server's own disk has it" },
    { has: "remote_apply", commits: "remote_apply", why: "it is stricter than on" },
  ])("by $commits where the address has $has: $why", async ({ has, commits }) => {
    expect(await commitsOf(`${url}?options=-c%20synchronous_commit%3D${has}`)).toBe(commits);
  });
});

describe("a server with", () => {
  let risks: ServerRisk[];
  beforeEach(() => {
    risks = [];
  });
  const postgres = { onRisk: (risk: ServerRisk) => void risks.push(risk) };

  describe("fsync = off", () => {
    beforeAll(() => setOfServer("fsync", "off"));
    afterAll(() => setOfServer("fsync", "on"));

    it("is refused, and gets no tables", async () => {
      await expect(openStore(url, { postgres })).rejects.toMatchObject({
        code: "usage",
        message: expect.stringContaining("fsync = off"),
        hint: expect.stringContaining("ALTER SYSTEM SET fsync = on"),
      });
      expect(await ask("SELECT to_regclass('meta')")).toBe(null);
    });

    it("can be read, with a warning", async () => {
      await administer(`ALTER DATABASE ${name()} SET answerback.accept_unsafe_server = on`);
      await (await openStore(url)).close();
      await administer(`ALTER DATABASE ${name()} RESET ALL`);

      await (await openStore(url, { readOnly: true, postgres })).close();
      expect(risks).toMatchObject([{ isRefused: true }]);
    });

    it("is accepted without a warning if the database permits it", async () => {
      await administer(`ALTER DATABASE ${name()} SET answerback.accept_unsafe_server = on`);

      const store = await openStore(url, { postgres });
      await store.append([entry()]);
      await store.close();
      expect(risks).toEqual([]);
    });
  });

  describe("full_page_writes = off", () => {
    beforeAll(() => setOfServer("full_page_writes", "off"));
    afterAll(() => setOfServer("full_page_writes", "on"));

    it("is accepted, with a warning", async () => {
      await (await openStore(url, { postgres })).close();

      expect(risks).toMatchObject([
        { isRefused: false, message: expect.stringContaining("full_page_writes = off") },
      ]);
    });
  });
});
