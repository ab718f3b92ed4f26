import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { heldCopies } from "../../../src/runtime/backup/held-copies.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { handClock } from "../../support/hand-clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Copies of a store whose file is unchanged while it is held. */
function copies() {
  let isHeld = false;
  return heldCopies({
    store: {
      async hold() {
        await new Promise((resolve) => setTimeout(resolve, 1));
        isHeld = true;
        return { path: "/data/store.db", bytes: 1, entries: 0, items: 0 };
      },
      async letGo() {
        const wasHeld = isHeld;
        isHeld = false;
        return wasHeld;
      },
    },
    clock: handClock(1_000),
    log: openLog({ level: "silent" }),
    keepWithinMs: 1_000,
  });
}

it("a hold that is renewed is usable; one that is not ends", async () => {
  const held = copies();
  const begun = held.begin();
  await vi.advanceTimersByTimeAsync(1);
  const { id } = await begun;
  await vi.advanceTimersByTimeAsync(900);
  expect(held.keep(id)).toBe(true);
  await vi.advanceTimersByTimeAsync(900);
  expect(await held.end(id)).toBe(true);

  const again = held.begin();
  await vi.advanceTimersByTimeAsync(1);
  const second = await again;
  await vi.advanceTimersByTimeAsync(1_100);
  expect([held.keep(second.id), await held.end(second.id)]).toEqual([false, false]);
});

it("of two copies that begin together, the second one is usable", async () => {
  const held = copies();
  const both = [held.begin(), held.begin()] as const;
  await vi.advanceTimersByTimeAsync(10);
  const [first, second] = [await both[0], await both[1]];
  for (let renewals = 0; renewals < 3; renewals += 1) {
    await vi.advanceTimersByTimeAsync(500);
    expect(held.keep(second.id)).toBe(true);
  }

  expect([held.keep(first.id), await held.end(second.id)]).toEqual([false, true]);
});
