import { expect, it } from "vitest";
import { momentMemory } from "../../../src/runtime/schedule/moment-memory.ts";

const NINE = { rule: "nine", formerly: [], cron: "0 9 * * *", zone: "UTC" };

/** A memory over a map. `whileSaving` runs during the next write, which fails if it throws. */
async function opened() {
  const metas = new Map<string, string>();
  const state = { whileSaving: (): void => {} };
  const memory = momentMemory({
    getMeta: async (name) => metas.get(name),
    async setMeta(name, value) {
      const run = state.whileSaving;
      state.whileSaving = () => {};
      run();
      metas.set(name, value);
    },
  });
  await memory.load();
  const stored = (): readonly unknown[] =>
    [...metas.values()].flatMap((text) => Object.values(JSON.parse(text)));
  return { memory, state, stored };
}

it("a moment that comes while earlier ones are written is written by the next save", async () => {
  const { memory, state, stored } = await opened();
  memory.recordMoment(NINE, "100", 1_000);
  state.whileSaving = () => memory.recordMoment(NINE, "100", 2_000);
  await memory.save();
  await memory.save();

  expect(stored()).toEqual([2_000]);
});

it("moments whose write failed are written by the next save", async () => {
  const { memory, state, stored } = await opened();
  memory.recordMoment(NINE, "100", 1_000);
  state.whileSaving = () => {
    throw new Error("the disk is full");
  };
  await expect(memory.save()).rejects.toThrow("the disk is full");
  await memory.save();

  expect(stored()).toEqual([1_000]);
});
