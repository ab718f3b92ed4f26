import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accountHandles } from "../../../src/runtime/accounts/handles.ts";
import { openAccounts } from "../../../src/runtime/accounts/registry.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-handles-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the handles of the linked accounts", () => {
  it("are read without the key of their tokens", async () => {
    const accounts = await openAccounts(folder);
    const tokens = { accessToken: "a", accessTokenSecret: "b", linkedAt: 1 };
    await accounts.put({ id: "100", username: "hello_bot", ...tokens });
    await rm(join(folder, "key"));

    expect(await accountHandles(folder)).toEqual({ "100": "hello_bot" });
  });

  it("are empty if no account was ever linked, and an error if the file is damaged", async () => {
    expect(await accountHandles(folder)).toEqual({});
    await writeFile(join(folder, "accounts.json"), "{");

    await expect(accountHandles(folder)).rejects.toThrow("does not hold linked accounts");
  });
});
