import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PostgresDatabase } from "../../../../src/runtime/store/postgres/database.ts";
import { SHAPES, STEPS } from "../../../../src/runtime/store/postgres/schema-steps.ts";
import { shapeOf } from "../../../../src/runtime/store/postgres/shape.ts";
import { contentHash } from "../../../../src/system/content-hash.ts";
import { testDatabase, type TestDatabase } from "../../../postgres/databases.ts";

/** Hashes of all released migration steps. Add a hash with each new step. Never change an existing hash. */
const RELEASED = [
  "RJkJsgEfSHoOqnJIZT0FCA0FUwW3K2uf5oyXDLlL2vs",
  "gYtcq_tLbgY_8DkZ77zkm3NI3wFSd8CYCspiPV5MGAM",
  "LOjthVQ0OriJZa3Wv-nTYnLThP4x5OtcSt25HzVQbuA",
  "5IRzG1jbbM2a4ufQrcGL8MCP3hBNCTC5YOjiF1TNFNQ",
  "JxOQF5KWd_kvufaD2aZQxcraK_15loQUI4kdkn0sDMA",
  "cofAeHMz7Ea6cStJ10J3NI_FNxrtXnckF4nA37Xy7MM",
  "wtYK6Km8l74RBKm5iuInPTHxvWF_-y2EMiP2cchgQoo",
];

let database: TestDatabase;
let db: PostgresDatabase;
beforeEach(async () => {
  database = await testDatabase({ fresh: true });
  db = new PostgresDatabase(database.url);
});
afterEach(async () => {
  await db.close();
  await database.giveBack();
});

describe("a step to newer tables of PostgreSQL", () => {
  it("never changes after its release: a change is a new step at the end", () => {
    expect(STEPS.map((step) => contentHash(step))).toEqual(RELEASED);
  });

  it("creates the tables of its version", async () => {
    const shapes = [await shapeOf(db)];
    for (const step of STEPS) {
      await db.query(step);
      shapes.push(await shapeOf(db));
    }

    expect(shapes).toEqual(SHAPES);
  });
});
