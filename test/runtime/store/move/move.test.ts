import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LinkedAccount } from "../../../../src/runtime/accounts/linked-account.ts";
import { openAccounts } from "../../../../src/runtime/accounts/registry.ts";
import { openStore } from "../../../../src/runtime/store/open.ts";
import { begin } from "../../../support/command-line.ts";
import { testDatabase, type TestDatabase } from "../../../postgres/databases.ts";
import { contentsOf, fillRichly, nextNumbers } from "./rich-store.ts";

const ACCOUNT: LinkedAccount = {
  id: "100",
  username: "bot",
  accessToken: "token-1",
  accessTokenSecret: "secret-1",
  linkedAt: 1,
};
const KEY = "ab".repeat(32);
let folder: string;
let database: TestDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-move-"));
  database = await testDatabase({ fresh: true });
});
afterEach(async () => {
  await database.giveBack();
  await rm(folder, { recursive: true });
});

const data = () => `file:${join(folder, "data")}`;
const move = (from: string, to: string, ...more: readonly string[]) =>
  begin({ cwd: folder, env: { ANSWERBACK_KEY: KEY } }, [
    "move",
    "--from",
    from,
    "--to",
    to,
    ...more,
  ]).ended;

/** Opens a store, calls a function with it, and closes it. */
async function within<T>(
  url: string,
  work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
) {
  const store = await openStore(url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

describe("a moved store", () => {
  it("has the same data in the database, and in the folder when it is moved back", async () => {
    await within(data(), fillRichly);
    const accounts = await openAccounts(join(folder, "data"), KEY);
    await accounts.put(ACCOUNT);
    const before = await within(data(), contentsOf);

    expect(await move(data(), database.url)).toMatchObject({ code: 0 });
    expect(await within(database.url, contentsOf)).toEqual(before);

    expect(await move(database.url, `file:${join(folder, "back")}`)).toMatchObject({ code: 0 });
    expect(await within(`file:${join(folder, "back")}`, contentsOf)).toEqual(before);
    const back = await openAccounts(join(folder, "back"), KEY);
    expect(back.list()).toEqual(accounts.list());
  });

  it("assigns no number again, in either direction", async () => {
    const before = await within(data(), async (store) => {
      await fillRichly(store);
      return nextNumbers(store);
    });
    await within(data(), (store) => store.prune({ before: 2_000, now: 0 }));

    await move(data(), database.url);
    const there = await within(database.url, (store) => nextNumbers(store, "there"));
    await move(database.url, `file:${join(folder, "back")}`);
    const back = await within(`file:${join(folder, "back")}`, (store) =>
      nextNumbers(store, "back"),
    );

    for (const name of ["seq", "item", "run", "state", "escalation"] as const) {
      expect(there[name], name).toBeGreaterThan(before[name]);
      expect(back[name], name).toBeGreaterThan(there[name]);
    }
  });
});
