import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAccounts, type LinkedAccount } from "../../../src/runtime/accounts/registry.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "accounts-"));
});
afterEach(() => rm(folder, { recursive: true }));

const ana: LinkedAccount = {
  id: "100",
  username: "Hello_Bot",
  accessToken: "100-access",
  accessTokenSecret: "very-secret",
  linkedAt: 5,
};

describe("linked accounts", () => {
  it("are there again after a restart, tokens and all", async () => {
    await (await openAccounts(folder)).put(ana);

    expect((await openAccounts(folder)).list()).toEqual([ana]);
  });

  it("are found by id, or by handle in any case with or without @", async () => {
    const accounts = await openAccounts(folder);
    await accounts.put(ana);

    for (const name of ["100", "hello_bot", "@HELLO_BOT"]) expect(accounts.find(name)).toEqual(ana);
    expect(accounts.find("@nobody")).toBeUndefined();
  });

  it("are kept with their tokens sealed, in files only the owner may read", async () => {
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
      code: "E_SEAL",
      hint: expect.stringContaining("ANSWERBACK_KEY"),
    });
  });

  it("refuses a key that is none", async () => {
    await expect(openAccounts(folder, "secret")).rejects.toThrow("ANSWERBACK_KEY holds no key");
  });

  it("keep the reason when their authorization was taken away, until they are linked again", async () => {
    const accounts = await openAccounts(folder);
    await accounts.put(ana);
    await accounts.revoke("100", "the user removed the app");

    expect((await openAccounts(folder)).find("100")?.revoked).toBe("the user removed the app");
    await accounts.put(ana);
    expect(accounts.find("100")).toEqual(ana);
    expect(await accounts.remove("100")).toBe(true);
    expect(await accounts.remove("100")).toBe(false);
  });
});
