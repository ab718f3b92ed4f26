import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { placeOfStore } from "../../src/cli/move/place-of-store.ts";
import { loadSettings } from "../../src/config/load-settings.ts";
import { overridesFrom } from "../../src/config/override-settings.ts";
import { headline } from "../../src/config/problem.ts";
import { readSettings } from "../../src/config/read-settings.ts";
import { passwordsIn, shownUrl } from "../../src/system/postgres-url.ts";

const DATABASE = "postgres://bot@127.0.0.1:5432/answerback";

/** Reads the settings of `config/a.yaml` in a new folder. */
async function loaded(
  text: string,
  options: { readonly data?: string; readonly environment?: Record<string, string> } = {},
) {
  const cwd = await mkdtemp(path.join(tmpdir(), "store-setting-"));
  await writeFile(path.join(cwd, "a.yaml"), `version: 1\n${text}`);
  const { environment = {}, data } = options;
  const settings = await loadSettings({ cwd, file: "a.yaml", environment, data });
  return { cwd, ...settings };
}

describe("the setting store", () => {
  test.each([
    { text: "", folder: "../data", why: "nothing is said" },
    { text: "store: file:kept\n", folder: "kept", why: "the file names it" },
    {
      text: "store: file:///var/kept\n",
      folder: "/var/kept",
      why: "the file has the URL of a folder",
    },
    { text: "store: file:kept\n", data: "here", folder: "here", why: "the command line says so" },
  ])("names one folder for store and machine: $why", async ({ text, data, folder }) => {
    const { cwd, store } = await loaded(text, { ...(data !== undefined && { data }) });

    const absolute = path.resolve(cwd, folder);
    expect(store).toEqual({ url: `file:${absolute}`, folder: absolute });
  });

  test.each([
    { text: `store: ${DATABASE}\n`, folder: "../data", why: "nothing is said of the folder" },
    { text: `store: ${DATABASE}\ndata: kept\n`, folder: "kept", why: "the file names it" },
    {
      text: `store: ${DATABASE}\ndata: kept\n`,
      environment: { ANSWERBACK_DATA: "other" },
      folder: "other",
      why: "the environment names it",
    },
    {
      text: `store: ${DATABASE}\ndata: kept\n`,
      data: "here",
      folder: "here",
      why: "the command line names it",
    },
    {
      text: "store: ${{ env.DATABASE_URL }}\n",
      environment: { DATABASE_URL: DATABASE },
      folder: "../data",
      why: "the URL is in the environment",
    },
    {
      text: "store: file:kept\n",
      environment: { ANSWERBACK_STORE: DATABASE },
      folder: "../data",
      why: "the environment moves it to the database",
    },
  ])("leaves a database where it is: $why", async ({ text, folder, ...options }) => {
    const { cwd, store } = await loaded(text, options);

    expect(store).toEqual({ url: DATABASE, folder: path.resolve(cwd, folder) });
  });

  it("gives the connection a name, and takes the password from the environment", async () => {
    const { store, postgres } = await loaded(
      `store: ${DATABASE}?sslmode=verify-full&sslrootcert=/ca.pem\npostgres: {pool: 4, statement_timeout: 1m}\n`,
      { environment: { PGPASSWORD: "s3cret/word" } },
    );

    const { password, searchParams } = new URL(store.url);
    expect(decodeURIComponent(password)).toBe("s3cret/word");
    expect(Object.fromEntries(searchParams)).toEqual({
      sslmode: "verify-full",
      sslrootcert: "/ca.pem",
      uselibpqcompat: "true",
    });
    expect(postgres).toEqual({ pool: 4, statementTimeoutMs: 60_000, connectTimeoutMs: 5_000 });
  });

  it("names no folder called ~ in the environment either, nor for move", async () => {
    const environment = { ANSWERBACK_STORE: "file:~/data" };
    const ofData = { ANSWERBACK_DATA: "~/data" };

    await expect(loaded("", { environment })).rejects.toThrow('names a folder called "~"');
    await expect(loaded(`store: ${DATABASE}\n`, { environment: ofData })).rejects.toThrow(
      'ANSWERBACK_DATA: "~/data" names a folder called "~"',
    );
    expect(() => placeOfStore("file:~/data", "/p", undefined)).toThrow('a folder called "~"');
  });

  it("has no data folder of the environment beside file:, and the help names the variable", async () => {
    const environment = { ANSWERBACK_DATA: "/var/lib/my bot" };
    const problem = {
      file: "ANSWERBACK_DATA",
      message: "ANSWERBACK_DATA: a file: store is in the folder of the data itself",
      help: "unset it, or set ANSWERBACK_STORE='file:/var/lib/my bot'",
    };

    for (const text of ["", "store: file:kept\ndata: here\n"]) {
      await expect(loaded(text, { environment })).rejects.toMatchObject({ problems: [problem] });
    }
    const both = { ...environment, ANSWERBACK_STORE: "file:kept" };
    await expect(loaded("", { environment: both })).rejects.toMatchObject({ problems: [problem] });
    const { store } = await loaded(`store: ${DATABASE}\n`, { environment });
    expect(store.folder).toBe("/var/lib/my bot");
  });

  it("applies only to this start if the environment has file:, whatever folder is set beside the database", async () => {
    const { store } = await loaded(`store: ${DATABASE}\ndata: kept\n`, {
      environment: { ANSWERBACK_STORE: "file:/tmp/once" },
    });

    expect(store).toEqual({ url: "file:/tmp/once", folder: "/tmp/once" });
  });

  test.each([
    {
      text: "store: mysql://db\n",
      said: 'a.yaml:2:8: error: "mysql://db" is not a store [invalid-value]',
      why: "no version has it",
    },
    {
      text: "store: postgres://db.test\n",
      said: "a.yaml:2:8: error: this URL names no database [invalid-value]",
      why: "every server has several",
    },
    {
      text: "store: postgres://a,b/bot\n",
      said: "a.yaml:2:8: error: this URL names several servers, but a store has one [invalid-value]",
      why: "two hosts",
    },
    {
      text: "store: postgres://db.test:port/bot\\n",
      said: "a.yaml:2:8: error: this is not the URL of a PostgreSQL database [invalid-value]",
      why: "a port is a number",
    },
    {
      text: `store: ${DATABASE}?sslmode=verify-ca\n`,
      said: "a.yaml:2:8: error: sslmode=verify-ca has no effect without a root certificate [invalid-value]",
      why: "anybody's certificate would do",
    },
    {
      text: `store: ${DATABASE}?sslmode=allow\n`,
      said: 'a.yaml:2:8: error: sslmode "allow" is not one of: disable, require, verify-ca, verify-full [invalid-value]',
      why: "it may end up without TLS",
    },
    {
      text: "store: file:~/data\n",
      said: 'a.yaml:2:8: error: "file:~/data" names a folder called "~", because only shells replace it [invalid-value]',
      why: "it would be beside the settings, not at home",
    },
    {
      text: `store: ${DATABASE}\ndata: ~/data\n`,
      said: 'a.yaml:3:7: error: "~/data" names a folder called "~", because only shells replace it [invalid-value]',
      why: "the data would be beside the settings, not at home",
    },
    {
      text: "store: file://../data\n",
      said: 'a.yaml:2:8: error: "file://../data" is not a store: after "//" a path begins with "/" [invalid-value]',
      why: "it would be /data",
    },
    {
      text: "store: 'file: ../data'\n",
      said: 'a.yaml:2:8: error: "file: ../data" is not a store [invalid-value]',
      why: "the folder's name would begin with a space",
    },
    {
      text: "data: kept\n",
      said: "a.yaml:2:7: error: a file: store is in the folder of the data itself [invalid-value]",
      why: "one of the two would be ignored",
    },
    {
      text: "postgres: {pool: 1}\n",
      said: "a.yaml:2:18: error: too few: it needs 2 connections [invalid-value]",
      why: "a listing would hold up everything else",
    },
    {
      text: "postgres: {connect_timeout: 0s}\n",
      said: 'a.yaml:2:29: error: "0s" is not a duration [invalid-value]',
      why: "to a driver it means for ever",
    },
  ])("is refused where it can't be meant: $why", ({ text, said }) => {
    const { problems } = readSettings({
      file: "a.yaml",
      text: `version: 1\n${text}`,
      environment: {},
      overrides: [],
    });

    expect(problems.map((problem) => headline(problem))).toEqual([said]);
  });
});

describe("the password of a store's URL", () => {
  test.each([
    { store: "mysql://me:hunter2@db.test/bot", shown: "mysql://me:*******@db.test/bot" },
    { store: "postgres://me:hun@er2@db.test", shown: "postgres://me:*******@db.test" },
    {
      store: "postgresql+asyncpg://me:hunter2@db.test/bot",
      shown: "postgresql+asyncpg://me:*******@db.test/bot",
    },
    {
      store: "host=db user=me password=hunter2 dbname=bot",
      shown: "host=db user=me password=******* dbname=bot",
    },
    { store: "Server=db;Pwd=hunter2;User=me", shown: "Server=db;Pwd=*******;User=me" },
    {
      store: "postgres://db.test?password=hunter2",
      shown: "postgres://db.test?password=*******",
    },
  ])("is starred out of a problem: $shown", ({ store, shown }) => {
    const text = `version: 1\nstore: ${store}\n`;
    const { problems } = readSettings({ file: "a.yaml", text, environment: {}, overrides: [] });

    expect(problems[0]?.sourceLine).toBe(`store: ${shown}`);
    expect(JSON.stringify(problems)).not.toMatch(/hun.er2/);
  });

  test.each([
    ["bot:hunter2@db.test:5432/bot", "bot:*******@db.test:5432/bot"],
    ["//bot:hunter2@db.test/bot", "//bot:*******@db.test/bot"],
    ["bot:hun:er2@tcp(db.test:3306)/bot", "bot:*******@tcp(db.test:3306)/bot"],
    ["mysql://bot:hun er2@db.test/bot", "mysql://bot:*******@db.test/bot"],
    ["mysql://bot:hun'er2@db.test/bot", "mysql://bot:*******@db.test/bot"],
    ["mysql://bot:hun/er2@db.test/bot", "mysql://bot:*******@db.test/bot"],
    ["mysql://bot@corp:hunter2@db.test/bot", "mysql://bot@corp:*******@db.test/bot"],
    ["redis://:hunter2@db.test", "redis://:*******@db.test"],
    ["user=bot password='hun er2' host=db", "user=bot password=********* host=db"],
    ["user=bot password='hun\\'er2' host=db", "user=bot password=********** host=db"],
    ["user=bot password='hun er2", "user=bot password=********"],
    ['user=bot passwd="hun er2" host=db', "user=bot passwd=********* host=db"],
    ["user=bot password=hun'er2 host=db", "user=bot password=******* host=db"],
    ["Server=db;Pwd=hun er2;User=bot", "Server=db;Pwd=*******;User=bot"],
    ["mysql://db.test/bot", "mysql://db.test/bot"],
    ["mysql://bot@db.test/bot", "mysql://bot@db.test/bot"],
    ["mysql://db.test:3306/bot", "mysql://db.test:3306/bot"],
    ["bot@db.test", "bot@db.test"],
    ["host=db user=bot", "host=db user=bot"],
  ])("is starred out of a variable's value, a line and an argument: %s", (store, shown) => {
    const said = `${JSON.stringify(shown)} is not a store`;
    const text = "version: 1\nstore: ${{ env.D }}\n";
    const environment = { D: store };
    const [of] = readSettings({ file: "a", text, environment, overrides: [] }).problems;
    const line = `store: '${store.replaceAll("'", "''")}'`;
    const written = readSettings({
      file: "a",
      text: `version: 1\n${line}\n`,
      environment: {},
      overrides: [],
    });

    expect(of?.message).toBe(said);
    expect(JSON.stringify([of, written])).not.toMatch(/hun|er2/);
    expect(written.problems[0]?.sourceLine).toHaveLength(line.length);
    expect(() => placeOfStore(store, "/p", undefined)).toThrow(said);
  });

  test.each([
    'accounts: ["@hello_bot"]',
    'limits: { accounts: { "@shop_bot": { replies: many } } }',
    "store: file:../a:b@c # or: x@y",
    "posts: { long: me@host.test }",
    'http: { allow: ["http://127.0.0.1:80", "@x"] }',
  ])("is not seen in %s", (line) => {
    const text = `version: 1\n${line}\nno_setting: 1\n`;
    const { problems } = readSettings({ file: "a", text, environment: {}, overrides: [] });

    expect(JSON.stringify(problems)).not.toContain("*");
  });

  test.each([
    ["store: { host: db, password: hunter2, user: bot }", {}],
    ["postgres: {password: 'hun er2'}", {}],
    ["version: 2", { ANSWERBACK_STORE: '{"host": "db", "password": "hunter2"}' }],
  ])("is starred out of a map: %s", (line, environment) => {
    const overrides = overridesFrom(environment, {});
    const text = `${line.startsWith("version") ? "" : "version: 1\n"}${line}\n`;
    const { problems } = readSettings({ file: "a", text, environment, overrides });

    expect(JSON.stringify(problems)).toContain("***");
    expect(JSON.stringify(problems)).not.toMatch(/hun|er2/);
  });

  it("is starred out of a line beside another mistake in it", () => {
    const text = "version: 1\nstore: postgres://me:hunter2@db.test/${{ env.NONE }}\n";
    const { problems } = readSettings({ file: "a", text, environment: {}, overrides: [] });

    expect(problems).toMatchObject([{ code: "env-missing" }]);
    expect(JSON.stringify(problems)).not.toContain("hunter2");
  });

  it("is replaced by stars in messages about the environment", () => {
    const environment = { ANSWERBACK_STORE: "mysql://me:hunter2@db.test/bot" };
    const overrides = overridesFrom(environment, {});
    const { problems } = readSettings({ file: "a", text: "version: 1\n", environment, overrides });

    expect(JSON.stringify(problems)).not.toContain("hunter2");
  });

  test.each([
    {
      url: "postgres://me:hunter%2F2@db.test/bot?sslmode=require&uselibpqcompat=true",
      shown: "postgres://me@db.test/bot?sslmode=require",
      hidden: ["hunter%2F2", "hunter/2"],
    },
    {
      url: "postgres:///bot?host=/run/postgresql&password=hunter2",
      shown: "postgres:///bot?host=%2Frun%2Fpostgresql",
      hidden: ["hunter2"],
    },
    { url: DATABASE, shown: DATABASE, hidden: [] },
    { url: "file:/data", shown: "file:/data", hidden: [] },
  ])("is known, and not in what people see: $shown", ({ url, shown, hidden }) => {
    expect(shownUrl(url)).toBe(shown);
    expect([...new Set(passwordsIn(url))]).toEqual(hidden);
  });
});
