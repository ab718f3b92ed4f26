import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyAccounts } from "../../../src/runtime/accounts/registry.ts";
import type { AccountChange, LinkedAccount } from "../../../src/runtime/accounts/linked-account.ts";
import { openAccounts } from "../../../src/runtime/accounts/registry.ts";
import {
  openAccountNames,
  openStoredAccounts,
  type StoredAccounts,
  storedHandles,
} from "../../../src/runtime/accounts/stored-accounts.ts";
import { openMemoryStore } from "../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../src/runtime/store/store.ts";

const KEY = "ab".repeat(32);

const ana: LinkedAccount = {
  id: "100",
  username: "Hello_Bot",
  accessToken: "100-access",
  accessTokenSecret: "very-secret",
  linkedAt: 5_000,
  linkedSince: 5_000,
};
const shop: LinkedAccount = { ...ana, id: "200", username: "shop", accessToken: "200-access" };

let store: Store;
beforeEach(() => {
  store = openMemoryStore();
});
afterEach(() => store.close());

/** Opens the accounts as one machine does, and records the changes that its subscribers receive. */
async function machine(): Promise<{ accounts: StoredAccounts; changes: AccountChange[] }> {
  const accounts = await openStoredAccounts(store, KEY);
  const changes: AccountChange[] = [];
  accounts.subscribe((change) => changes.push(change));
  return { accounts, changes };
}

describe("linked accounts in a shared store", () => {
  it("are available with their tokens to a machine that starts later", async () => {
    await (await machine()).accounts.put(ana);

    const { accounts } = await machine();
    expect(accounts.list()).toEqual([ana]);
    expect(accounts.find("@hello_bot")).toEqual(ana);
    expect(accounts.find("100")).toEqual(ana);
  });

  it("are stored with encrypted tokens, and with handles that are readable without a key", async () => {
    await (await machine()).accounts.put(ana);

    const storedText = JSON.stringify([...(await store.metas(""))]);
    expect(storedText).not.toContain("very-secret");
    expect(storedText).not.toContain("100-access");
    expect(await storedHandles(store)).toEqual({ "100": "Hello_Bot" });
  });

  it("reach another machine with its next poll, which notifies its subscribers once", async () => {
    const [one, other] = [await machine(), await machine()];
    await one.accounts.put(ana);
    expect(other.accounts.list()).toEqual([]);
    await other.accounts.look();
    expect(other.accounts.list()).toEqual([ana]);

    await one.accounts.revoke(ana.id, { reason: "revoked", at: 6_000 });
    await other.accounts.look();
    const revoked = { ...ana, revoked: "revoked", lastRevocation: 6_000 };
    expect(other.accounts.list()).toEqual([revoked]);

    await one.accounts.put(ana);
    await one.accounts.remove(ana.id);
    await other.accounts.look();
    await other.accounts.look();

    const again = { ...ana, lastRevocation: 6_000 };
    expect(one.changes).toEqual([
      { type: "linked", account: ana },
      { type: "revoked", account: revoked },
      { type: "linked", account: again },
      { type: "removed", account: again },
    ]);
    // This machine never noticed the second link, which was added and removed between two polls.
    expect(other.changes).toEqual([
      { type: "linked", account: ana },
      { type: "revoked", account: revoked },
      { type: "removed", account: revoked },
    ]);
  });

  it("are revoked and unlinked without a key, and linked only with one", async () => {
    const { accounts, changes } = await machine();
    await accounts.put(ana);
    await accounts.put(shop);
    const receiver = await openAccountNames(store);
    await receiver.revoke(ana.id, { reason: "revoked", at: 6_000 });
    await receiver.revoke("300", { reason: "revoked", at: 6_000 });
    expect(await receiver.remove(shop.id)).toBe(true);

    await accounts.look();
    const revoked = { ...ana, revoked: "revoked", lastRevocation: 6_000 };
    expect(changes.slice(2)).toEqual([
      { type: "removed", account: shop },
      { type: "revoked", account: revoked },
    ]);
    expect((await machine()).accounts.list()).toEqual([revoked]);
    await expect(receiver.put(ana)).rejects.toMatchObject({ code: "seal" });
  });

  it("cost one small read a poll and publish nothing while no machine changes them", async () => {
    const { accounts, changes } = await machine();
    await accounts.put(ana);
    const calls: string[] = [];
    const watched = await openStoredAccounts(
      {
        getMeta: (name) => (calls.push("get"), store.getMeta(name)),
        metas: (prefix) => (calls.push("list"), store.metas(prefix)),
        changeMetas: (changes) => store.changeMetas(changes),
      },
      KEY,
    );
    calls.length = 0;
    for (let n = 0; n < 3; n++) await watched.look();
    await accounts.look();

    expect(calls).toEqual(["get", "get", "get"]);
    expect(changes).toHaveLength(1);
  });

  it("keep the changes of all machines that write at the same time", async () => {
    const edits = fc.array(
      fc.record({
        machine: fc.nat(2),
        account: fc.nat(3),
        edit: fc.constantFrom("put", "revoke", "remove", "look"),
      }),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(edits, fc.scheduler(), async (steps, s) => {
        const shared = openMemoryStore();
        const slow = {
          getMeta: s.scheduleFunction((name: string) => shared.getMeta(name)),
          metas: s.scheduleFunction((prefix: string) => shared.metas(prefix)),
          changeMetas: s.scheduleFunction((changes: Parameters<Store["changeMetas"]>[0]) =>
            shared.changeMetas(changes),
          ),
        };
        const opening = Array.from({ length: 3 }, () => openStoredAccounts(slow, KEY));
        await s.waitFor(Promise.all(opening));
        const machines = await Promise.all(opening);
        const changes: AccountChange[] = [];
        const seen = new Map<string, LinkedAccount>();
        machines[0]?.subscribe((change) => {
          changes.push(change);
          if (change.type === "removed") seen.delete(change.account.id);
          else seen.set(change.account.id, change.account);
        });
        let put = 0;
        const done = steps.map(async ({ machine: at, account: n, edit }) => {
          const accounts = machines[at];
          if (accounts === undefined) return;
          const id = String(n);
          if (edit === "look") await accounts.look();
          if (edit === "remove") await accounts.remove(id);
          if (edit === "revoke") await accounts.revoke(id, { reason: "gone", at: 6_000 });
          if (edit !== "put") return;
          put += 1;
          // The other machines never touch this account.
          await accounts.put({ ...ana, id: `own-${put}`, username: `own${put}` });
          await accounts.put({ ...ana, id });
        });
        await s.waitFor(Promise.all(done));
        await s.waitFor(Promise.all(machines.map((one) => one.look())));

        const [first, ...others] = machines.map((one) =>
          one.list().toSorted((a, b) => a.id.localeCompare(b.id)),
        );
        expect(first?.filter(({ id }) => id.startsWith("own-"))).toHaveLength(put);
        for (const other of others) expect(other).toEqual(first);
        expect([...seen.values()].toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(first);
        await shared.close();
      }),
      { numRuns: 60 },
    );
  });

  it("need a key, and say how to make one", async () => {
    await expect(openStoredAccounts(store, undefined)).rejects.toMatchObject({
      code: "seal",
      message: expect.stringContaining("ANSWERBACK_KEY"),
      hint: expect.stringContaining("openssl rand -hex 32"),
    });
    await expect(openStoredAccounts(store, "short")).rejects.toMatchObject({ code: "seal" });
  });

  it("refuse a machine with another key before any account is linked", async () => {
    await openStoredAccounts(store, KEY);

    await expect(openStoredAccounts(store, "cd".repeat(32))).rejects.toMatchObject({
      code: "seal",
      message: expect.stringContaining("not the key that encrypted the tokens"),
      hint: expect.stringContaining("the same key as on the other machines"),
    });
    await expect(machine()).resolves.toBeDefined();
  });

  it.each([
    { storedText: "{", why: "it is no JSON" },
    { storedText: "{}", why: "it is no account" },
    { storedText: JSON.stringify({ ...ana, sealed: "v2.a.b.c" }), why: "it has another's id" },
  ])("say which of them is damaged: $why", async ({ storedText }) => {
    await store.setMeta("account:7", storedText);

    await expect(openStoredAccounts(store, KEY)).rejects.toMatchObject({
      code: "accounts-file",
      message: expect.stringContaining('"account:7"'),
    });
  });

  it("stay unchanged if a poll reads one that it can't decrypt, and the next poll continues", async () => {
    const [one, other] = [await machine(), await machine()];
    await one.accounts.put(ana);
    await other.accounts.look();
    const good = await store.getMeta("account:100");
    await store.setMeta("account:100", "{");
    await store.setMeta("accounts-version", "9");

    await expect(other.accounts.look()).rejects.toMatchObject({ code: "accounts-file" });
    expect(other.accounts.list()).toEqual([ana]);
    await store.setMeta("account:100", good ?? "");
    await other.accounts.look();
    expect(other.changes).toHaveLength(1);
  });
});

describe("accounts that move to another store", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "accounts-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("are unchanged, including revoked ones, and other accounts stay", async () => {
    const file = await openAccounts(folder);
    await file.put(ana);
    await file.put(shop);
    await file.revoke(shop.id, { reason: "revoked", at: 6_000 });
    const { accounts } = await machine();
    await accounts.put({ ...ana, id: "300", username: "other" });

    expect(await copyAccounts(file, accounts)).toBe(2);
    expect(accounts.find("shop")).toEqual({ ...shop, revoked: "revoked", lastRevocation: 6_000 });
    expect(accounts.list().map(({ id }) => id)).toEqual(["300", "100", "200"]);

    // copies the accounts back into a file, with the key of that folder
    await rm(join(folder, "accounts.json"));
    expect(await copyAccounts(accounts, await openAccounts(folder))).toBe(3);
    expect((await openAccounts(folder)).list()).toHaveLength(3);
  });
});
