import { afterEach, beforeEach, describe, expect, it } from "vitest";
import pg from "pg";
import { openStore } from "../../../src/runtime/store/open.ts";
import { storeErrorOf } from "../../../src/runtime/store/postgres/faults.ts";
import { testDatabase, type TestDatabase } from "../../postgres/databases.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase({ fresh: true });
});
afterEach(() => database.giveBack());

describe("a store in a database", () => {
  it("is opened, read and closed by a user without write access", async () => {
    await (await openStore(database.url)).close();

    const store = await openStore(database.url, { readOnly: true });
    expect((await store.stats()).inbox).toBe(0);
    await store.close();
  });

  it("explains where a password belongs if the server requires one and there is none", async () => {
    const url = new URL(database.url);
    url.password = "";
    const client = new pg.Client(url.href);
    const refused: unknown = await client.connect().catch((error: unknown) => error);
    await client.end();

    expect(storeErrorOf(refused)).toMatchObject({
      code: "store-io",
      message: "the database asks for a password, but none is set",
      hint: "set PGPASSWORD, or name a file with it in PGPASSFILE",
    });
  });
});
