import { createCipheriv, randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LinkedAccount } from "../../../src/runtime/accounts/linked-account.ts";
import { copyAccounts, openAccounts } from "../../../src/runtime/accounts/registry.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "accounts-"));
});
afterEach(() => rm(folder, { recursive: true }));

interface Stored {
  readonly id?: string | undefined;
  readonly sealed?: string | undefined;
  readonly linkedSince?: number | undefined;
}

/** Changes `accounts.json` without the registry. */
async function changed(change: (stored: readonly Stored[]) => readonly Stored[]): Promise<void> {
  const file = join(folder, "accounts.json");
  const { accounts }: { accounts: Stored[] } = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ accounts: change(accounts) }));
}

/** Ana's tokens in the form of earlier versions, which named no owner. */
function sealedByV1(key: Buffer): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const text = JSON.stringify([ana.accessToken, ana.accessTokenSecret]);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const parts = [nonce, cipher.getAuthTag(), body].map((part) => part.toString("base64url"));
  return ["v1", ...parts].join(".");
}

const ana: LinkedAccount = {
  id: "100",
  username: "Hello_Bot",
  accessToken: "100-access",
  accessTokenSecret: "very-secret",
  linkedAt: 5,
  linkedSince: 5,
};

describe("linked accounts", () => {
  it("are available again after a restart, with their tokens", async () => {
    await (await openAccounts(folder)).put(ana);

    expect((await openAccounts(folder)).list()).toEqual([ana]);
  });

  it("are found by id, or by handle in any case with or without @", async () => {
    const accounts = await openAccounts(folder);
    await accounts.put(ana);

    for (const name of ["100", "hello_bot", "@HELLO_BOT"]) expect(accounts.find(name)).toEqual(ana);
    expect(accounts.find("@nobody")).toBeUndefined();
  });

  it("are stored with encrypted tokens, in files that only the owner may read", async () => {
    await (await openAccounts(folder)).put(ana);
    const text = await readFile(join(folder, "accounts.json"), "utf8");

    expect(text).toContain("Hello_Bot");
    expect(text).not.toContain("very-secret");
    for (const file of ["accounts.json", "key"]) {
      expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    }
  });

  it("can't be opened with another key, and the error says what to do", async () => {
    await (await openAccounts(folder)).put(ana);

    await expect(openAccounts(folder, "ab".repeat(32))).rejects.toMatchObject({
      code: "seal",
      hint: expect.stringContaining("ANSWERBACK_KEY"),
    });
  });

  it("can't be decrypted in another account's place", async () => {
    const accounts = await openAccounts(folder);
    await accounts.put(ana);
    await accounts.put({ ...ana, id: "200", username: "other", accessToken: "200-access" });
    await changed((stored) => {
      const [first, second] = stored;
      return [
        { ...first, sealed: second?.sealed },
        { ...second, sealed: first?.sealed },
      ];
    });

    await expect(openAccounts(folder)).rejects.toMatchObject({
      code: "seal",
      message: expect.stringContaining("account 100"),
    });
  });

  it.each([4, 12, 15])("can't be decrypted with a tag cut down to %s bytes", async (bytes) => {
    await (await openAccounts(folder)).put(ana);
    await changed((stored) =>
      stored.map(({ sealed = "", ...rest }) => {
        const [version, nonce, tag = "", body] = sealed.split(".");
        const short = Buffer.from(tag, "base64url").subarray(0, bytes).toString("base64url");
        return { ...rest, sealed: [version, nonce, short, body].join(".") };
      }),
    );

    await expect(openAccounts(folder)).rejects.toMatchObject({ code: "seal" });
  });

  it("that an earlier version encrypted can still be read, and are encrypted again on request", async () => {
    await (await openAccounts(folder)).put(ana);
    const key = Buffer.from((await readFile(join(folder, "key"), "utf8")).trim(), "hex");
    await changed((stored) => stored.map((one) => ({ ...one, sealed: sealedByV1(key) })));

    const accounts = await openAccounts(folder);
    expect(accounts.list()).toEqual([ana]);
    await accounts.reencryptOldTokens();

    expect(await readFile(join(folder, "accounts.json"), "utf8")).toContain('"v2.');
    expect((await openAccounts(folder)).list()).toEqual([ana]);
  });

  it.each([0o640, 0o604, 0o622])("are not opened with a key file of mode %o", async (mode) => {
    await (await openAccounts(folder)).put(ana);
    await chmod(join(folder, "key"), mode);

    await expect(openAccounts(folder)).rejects.toMatchObject({
      code: "seal",
      hint: expect.stringContaining("chmod 600"),
    });
  });

  it("are opened with the key file if ANSWERBACK_KEY is empty, as of a variable that Compose has no value for", async () => {
    await (await openAccounts(folder)).put(ana);

    expect((await openAccounts(folder, "")).list()).toEqual([ana]);
  });

  it("refuse an invalid key", async () => {
    await expect(openAccounts(folder, "secret")).rejects.toThrow("ANSWERBACK_KEY holds no key");
  });

  it("keep the reason when their authorization was revoked, until they are linked again", async () => {
    const accounts = await openAccounts(folder);
    await accounts.put(ana);
    await accounts.revoke("100", { reason: "the user removed the app", at: 6_000 });

    expect((await openAccounts(folder)).find("100")?.revoked).toBe("the user removed the app");
    await accounts.put(ana);
    expect(accounts.find("100")).toEqual({ ...ana, lastRevocation: 6_000 });
    expect(await accounts.remove("100")).toBe(true);
    expect(await accounts.remove("100")).toBe(false);
  });

  it("have the time of their first link until they are unlinked, also after a restart", async () => {
    const { linkedSince: _, ...fresh } = ana;
    const accounts = await openAccounts(folder);
    await accounts.put({ ...fresh, linkedAt: 1_000 });
    await accounts.revoke("100", { reason: "the user removed the app", at: 6_000 });
    await accounts.put({ ...fresh, linkedAt: 7_000 });
    expect(accounts.find("100")).toMatchObject({ linkedAt: 7_000, linkedSince: 1_000 });

    await accounts.remove("100");
    await accounts.put({ ...fresh, linkedAt: 9_000 });
    expect((await openAccounts(folder)).find("100")?.linkedSince).toBe(9_000);
  });

  it("of earlier versions have no such time until they are unlinked, also after a copy", async () => {
    const { linkedSince: _, ...fresh } = ana;
    await (await openAccounts(folder)).put(ana);
    await changed((stored) => stored.map(({ linkedSince: __, ...one }) => one));
    const accounts = await openAccounts(folder);
    expect(accounts.find("100")).toEqual(fresh);
    await accounts.put({ ...fresh, linkedAt: 7_000 });
    expect(accounts.find("100")?.linkedSince).toBeUndefined();

    const copy = await openAccounts(join(folder, "copy"));
    await copyAccounts(accounts, copy);
    expect(copy.find("100")?.linkedSince).toBe(0);
  });

  it("stay valid when they were linked again after a revocation", async () => {
    const accounts = await openAccounts(folder);
    await accounts.put({ ...ana, linkedAt: 60_500 });
    await accounts.revoke("100", { reason: "an old event, replayed", at: 59_000 });
    expect(accounts.find("100")?.revoked).toBeUndefined();

    // The platform gives the time in whole seconds.
    await accounts.revoke("100", { reason: "the same second", at: 60_000 });
    expect(accounts.find("100")?.revoked).toBe("the same second");
  });

  it("stay valid when an earlier revocation is delivered again, even if the clock was set back", async () => {
    const accounts = await openAccounts(folder);
    await accounts.put({ ...ana, linkedAt: 10_000 });
    await accounts.revoke("100", { reason: "it was taken away", at: 90_000 });
    await accounts.put({ ...ana, linkedAt: 60_000 });

    const after = await openAccounts(folder);
    await after.revoke("100", { reason: "the same, replayed", at: 90_000 });
    expect(after.find("100")?.revoked).toBeUndefined();
    await after.revoke("100", { reason: "taken away again", at: 95_000 });
    expect(after.find("100")?.revoked).toBe("taken away again");
  });

  it("are reported as they change, once the change is on disk", async () => {
    const accounts = await openAccounts(folder);
    const seen: string[] = [];
    const stop = accounts.subscribe(({ type, account }) => seen.push(`${type} ${account.id}`));
    await accounts.put(ana);
    await accounts.revoke("100", { reason: "gone", at: 5_000 });
    await accounts.revoke("100", { reason: "gone twice", at: 6_000 });
    await accounts.remove("100");
    stop();
    await accounts.put(ana);

    expect(seen).toEqual(["linked 100", "revoked 100", "removed 100"]);
  });

  it("stay unchanged if a change can't be written, and keep all simultaneous changes", async () => {
    const accounts = await openAccounts(folder);
    await accounts.put(ana);
    await rename(folder, `${folder}.away`);
    await expect(accounts.revoke("100", { reason: "gone", at: 5_000 })).rejects.toThrow("ENOENT");
    await rename(`${folder}.away`, folder);
    expect(accounts.find("100")).toEqual(ana);

    await Promise.all([
      accounts.revoke("100", { reason: "gone", at: 5_000 }),
      accounts.put({ ...ana, id: "101" }),
      accounts.put({ ...ana, id: "102" }),
    ]);
    const storedAccounts = (await openAccounts(folder)).list();
    expect(storedAccounts.map(({ id, revoked }) => [id, revoked])).toEqual([
      ["100", "gone"],
      ["101", undefined],
      ["102", undefined],
    ]);
  });
});
