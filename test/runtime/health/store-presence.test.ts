import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { storePresence } from "../../../src/runtime/health/store-presence.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "presence-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the store's file", () => {
  const file = (): string => join(folder, "store.db");

  it.each([
    { what: "stays", change: async () => {}, parts: [] },
    { what: "grows", change: () => writeFile(file(), "more than before"), parts: [] },
    { what: "is removed", change: () => rm(file()), parts: ["store"] },
    {
      what: "goes with its folder",
      change: () => rm(folder, { recursive: true }),
      parts: ["store"],
    },
    {
      what: "is replaced",
      change: async () => {
        await writeFile(`${file()}.new`, "another");
        await rename(`${file()}.new`, file());
      },
      parts: ["store"],
    },
  ])("is missed or not where it $what: $parts", async ({ change, parts }) => {
    await writeFile(file(), "a store");
    const missing = await storePresence(folder);
    await change();

    expect((await missing()).map(({ part }) => part)).toEqual(parts);
  });

  it("is not missed where there never was one", async () => {
    const missing = await storePresence(folder);

    expect(await missing()).toEqual([]);
  });
});
