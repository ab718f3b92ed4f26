import { expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { when } from "../../support/when.ts";
import { compareClocks } from "../../../src/host/roles/clock-offset.ts";

const EVERY_MS = 5;

/** Time of the store, which stands still. */
const NOW = Date.UTC(2026, 0, 1);

/** Starts the comparison of a clock that is `aheadMs` ahead of the store's clock. */
async function comparing(aheadMs: () => number, isShared = true) {
  const lines: string[] = [];
  const log = openLog({ level: "warn", destination: { write: (line) => void lines.push(line) } });
  const offset = await compareClocks({
    store: { isShared, clock: async () => NOW },
    log,
    now: () => NOW + aheadMs(),
    monotonic: () => 0,
    everyMs: EVERY_MS,
  });
  return { offset, lines };
}

it("returns the current lead of this machine's clock over the store's", async () => {
  let aheadMs = 300;
  const { offset, lines } = await comparing(() => aheadMs);
  expect(offset.aheadMs()).toBe(300);
  expect(lines).toEqual([]);

  aheadMs = -90_000;
  await when(() => (offset.aheadMs() === -90_000 ? true : undefined));
  await offset.stop();
});

it("warns of more than a second, once in a while", async () => {
  let compared = 0;
  const { offset, lines } = await comparing(() => {
    compared += 1;
    return -5_000;
  });
  await when(() => (compared > 3 ? true : undefined));
  await offset.stop();

  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/is \d+ ms behind the store's/u);
});

it("does not query a store of this machine alone", async () => {
  const { offset } = await comparing(() => 5_000, false);

  expect(offset.aheadMs()).toBe(0);
});
