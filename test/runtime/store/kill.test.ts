import { expect, it } from "vitest";
import type { Store } from "../../../src/runtime/store/store.ts";
import { entry } from "./builders.ts";
import { runChild } from "./child.ts";
import { folderPlace } from "./place.ts";

const ROUNDS = 3;
const ENOUGH = 20_000;

/** Reads the whole journal and all outbox items, by key. */
async function contents(store: Store) {
  const rows = await store.journal({ limit: 1_000_000 });
  const items = await store.items({ limit: 1_000_000 });
  return { rows, items, keys: new Set(rows.map((row) => row.key)) };
}

it("loses no acknowledged event when the process is killed", async () => {
  const place = await folderPlace();
  const printed: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const child = runChild("append", place.folder, String(round));
    await child.printed(1_000 * (round + 1));
    child.kill();
    printed.push(...(await child.ended).split("\n").filter((line) => /^[AC] .*:\d+$/u.test(line)));
  }

  const store = await place.open();
  const { rows, items, keys } = await contents(store);
  const reported = (what: string): string[] =>
    printed.filter((line) => line.startsWith(what)).map((line) => line.slice(2));

  expect(reported("A").length).toBeGreaterThan(ROUNDS);
  expect(reported("A").filter((key) => !keys.has(key))).toEqual([]);
  expect(keys.size).toBe(rows.length);
  const done = new Set(rows.filter((row) => row.state === "done").map((row) => row.key));
  expect(reported("C").filter((key) => !done.has(key))).toEqual([]);
  expect(new Set(items.map((one) => one.key))).toEqual(done);
  const again = await store.append([...keys].slice(0, ENOUGH).map((key) => entry({ key })));
  expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(["duplicate"]));
  expect(await store.stats()).toMatchObject({
    journal: rows.length,
    inbox: rows.length - done.size,
    items: { pending: items.length },
  });
  await store.close();
  await place.remove();
});
