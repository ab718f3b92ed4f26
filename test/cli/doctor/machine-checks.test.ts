import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/runtime/store/sqlite/binding.ts";
import { openStore } from "../../../src/runtime/store/open.ts";
import { packageVersion } from "../../../src/system/package-version.ts";
import { startPostgres, type TestPostgres } from "../../postgres/server.ts";
import { run } from "../../support/command-line.ts";
import { when } from "../../support/when.ts";

let folder: string;
let server: TestPostgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "doctor-"));
  server = await startPostgres({ durable: true });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Changes the setting `fsync` of the running PostgreSQL server. Resolves once new connections see the change. */
async function setFsync(value: "on" | "off"): Promise<void> {
  const client = new pg.Client({ connectionString: server.url("postgres") });
  await client.connect();
  await client.query(`ALTER SYSTEM SET fsync = ${value}`);
  await client.query("SELECT pg_reload_conf()");
  await when(async () => {
    const { rows } = await client.query<{ fsync: string }>("SHOW fsync");
    return rows[0]?.fsync === value ? true : undefined;
  });
  await client.end();
}

/** Returns what `doctor --json` reports about a store's durability. */
async function findingOn(store: string): Promise<unknown> {
  const settings = join(folder, "answerback.yaml");
  await writeFile(settings, `version: 1\nstore: ${JSON.stringify(store)}\n`);
  const { out } = await run(folder, "doctor", "--json", "--config", settings);
  const findings = out
    .trim()
    .split("\n")
    .map((line): { readonly name: string } => JSON.parse(line));
  return findings.find(({ name }) => name === "store");
}

describe("the doctor looks at the server of a store, which", () => {
  it("is sound as PostgreSQL is delivered", async () => {
    const url = await server.createDatabase();
    await (await openStore(url)).close();

    expect(await findingOn(url)).toMatchObject({
      state: "ok",
      message: expect.stringContaining(`, last written by Answerback ${packageVersion()}`),
    });
  });

  it("may lose acknowledged events if fsync is off", async () => {
    const url = await server.createDatabase();
    await (await openStore(url)).close();
    await setFsync("off");
    const finding = await findingOn(url);
    await setFsync("on");

    expect(finding).toMatchObject({
      state: "fail",
      message: expect.stringContaining("fsync = off"),
      fix: expect.stringContaining("ALTER SYSTEM SET fsync = on"),
    });
  });
});

describe("the doctor reads the store of a stopped bot, which", () => {
  it("is sound, and names the version that wrote it last", async () => {
    const data = join(folder, "sound");
    await (await openStore(`file:${data}`)).close();

    expect(await findingOn(`file:${data}`)).toMatchObject({
      state: "ok",
      message: `${data}, last written by Answerback ${packageVersion()}`,
    });
  });

  it("is held by another process, and sound then", async () => {
    const data = join(folder, "held");
    const store = await openStore(`file:${data}`);

    expect(await findingOn(`file:${data}`)).toMatchObject({ state: "ok", message: data });
    await store.close();
  });

  it("has tables that its version does not have", async () => {
    const data = join(folder, "altered");
    await (await openStore(`file:${data}`)).close();
    const db = openDatabase(join(data, "store.db"));
    db.exec("ALTER TABLE runs ADD COLUMN more TEXT");
    db.close();

    expect(await findingOn(`file:${data}`)).toMatchObject({
      state: "fail",
      message: expect.stringContaining("do not match the schema version"),
      fix: expect.stringMatching(/answerback restore --config \S+answerback\.yaml FILE/),
    });
  });
});
