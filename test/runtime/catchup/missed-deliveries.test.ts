import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HOLD_MS } from "../../../src/runtime/catchup/gate.ts";
import { when } from "../../support/when.ts";
import { CatchupBench, ID, message, MINUTE, NOON } from "./support/catchup-bench.ts";
import { refused } from "./support/refused.ts";

let bench: CatchupBench;
beforeEach(() => {
  bench = new CatchupBench();
});
afterEach(() => bench.close());

describe("deliveries that stop arriving", () => {
  it("begin a gap at the last sure arrival, which is read back when they arrive again", async () => {
    await bench.start();
    await bench.pass(30 * MINUTE);
    bench.lists.messages = [message("1", 25)];
    bench.down(NOON + 20 * MINUTE);
    await bench.reachable(false);
    await bench.pass(10 * MINUTE);
    expect(bench.readBack).toEqual([]);
    const held = bench.catchup.gate.pass({ for_user_id: ID });
    expect(held).toBeInstanceOf(Promise);
    await held;
    expect(bench.readBack).toEqual(["1"]);

    bench.up();
    await bench.reachable();
    await bench.pass(15 * MINUTE);
    await bench.requested(1);
    expect(bench.requests).toEqual([[20, 40]]);
  });

  it("hold a delivery back until they are read, even if it comes just as they arrive again", async () => {
    let onRead = (): void => {};
    const reading = new Promise<void>((resolve) => (onRead = resolve));
    await bench.catchup.stop();
    bench.catchup = bench.opened({ onFound: () => reading });
    await bench.start();
    await bench.pass(30 * MINUTE);
    bench.lists.messages = [message("1", 25)];
    bench.down(NOON + 20 * MINUTE);
    await bench.reachable(false);
    await bench.pass(10 * MINUTE);
    const gaps = bench.store.coverageGaps.bind(bench.store);
    vi.spyOn(bench.store, "coverageGaps").mockImplementationOnce(async (query) => {
      const stored = await gaps(query);
      bench.up();
      // ends as soon as their arrival is noted, before the loop begins to read
      for (let turn = 0; turn < 500 && bench.catchup.reachable().length === 0; turn++) {
        await Promise.resolve();
      }
      return stored;
    });

    expect(bench.catchup.gate.pass({ for_user_id: ID })).toBeInstanceOf(Promise);
    // each turn brings a further delivery
    const passed: unknown[] = [];
    for (let turn = 0; turn < 50; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      passed.push(bench.catchup.gate.pass({ for_user_id: ID }));
    }
    const before = [...bench.readBack];
    onRead();
    expect(passed).not.toContain(undefined);
    expect(before).toEqual([]);
    await when(() =>
      bench.catchup.gate.pass({ for_user_id: ID }) === undefined ? true : undefined,
    );
    expect(bench.readBack).toContain("1");
  });

  it("are read back once, however many deliveries wait for the reading", async () => {
    let onRead = (): void => {};
    const reading = new Promise<void>((resolve) => (onRead = resolve));
    await bench.catchup.stop();
    bench.catchup = bench.opened({ onFound: () => reading });
    await bench.start();
    await bench.pass(30 * MINUTE);
    bench.down(NOON + 20 * MINUTE);
    await bench.reachable(false);
    const before = bench.lists.requests.length;
    const waiting: (Promise<unknown> | undefined)[] = [];
    for (let n = 0; n < 20; n += 1) {
      bench.clock.advance(1);
      waiting.push(bench.catchup.gate.pass({ for_user_id: ID }));
      await new Promise((resolve) => setImmediate(resolve));
    }
    onRead();
    await Promise.all(waiting.map(async (one) => one));

    expect(waiting).not.toContain(undefined);
    expect(bench.lists.requests.slice(before).toSorted()).toEqual(["mentions", "messages"]);
  });

  it("delay no later delivery while a rate limit delays their reading", async () => {
    await bench.start();
    await bench.pass(30 * MINUTE);
    bench.down(NOON + 20 * MINUTE);
    await bench.reachable(false);
    const end = bench.clock.now() + 15 * MINUTE;
    bench.lists.fails = () => ({
      status: 429,
      headers: {
        "x-rate-limit-limit": "15",
        "x-rate-limit-remaining": "0",
        "x-rate-limit-reset": `${end / 1_000}`,
      },
    });
    const before = bench.lists.requests.length;
    const first = bench.catchup.gate.pass({ for_user_id: ID });
    await vi.waitUntil(() => bench.lists.requests.length === before + 2);
    const held = [];
    for (let n = 0; n < 20; n += 1) {
      bench.clock.advance(1);
      held.push(bench.catchup.gate.pass({ for_user_id: ID }));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await vi.advanceTimersByTimeAsync(HOLD_MS);
    await Promise.all([first, ...held]);

    // Only the deliveries that came before the answer of the platform waited.
    expect(held.slice(5)).toEqual(Array.from({ length: 15 }, () => undefined));
    expect(bench.lists.requests.slice(before).toSorted()).toEqual(["mentions", "messages"]);
  });

  it("without a reason found are reported as a gap", async () => {
    await bench.start();
    await bench.pass(30 * MINUTE);
    bench.doubted = [ID];
    bench.down(NOON + 20 * MINUTE);
    await when(() => (bench.publishedTypes().includes("gap-found") ? true : undefined));

    expect(bench.published).toMatchObject([
      { type: "gap-found", data: { from: "2026-01-02T12:20:00.000Z" } },
    ]);
  });

  it("because this process refused them are read back without waiting for the platform", async () => {
    await bench.start();
    await bench.pass(5 * MINUTE);
    bench.lists.messages = [message("1", 3)];
    bench.down(NOON + 2 * MINUTE);
    await bench.reachable(false);
    bench.refusedDeliveries = [ID];
    await bench.pass(MINUTE);
    await when(() => (bench.readBack.length > 0 ? true : undefined));

    expect(bench.readBack).toEqual(["1"]);
  });

  it("because this process refused them are read back even if their end is not stored yet", async () => {
    await bench.start();
    await bench.pass(5 * MINUTE);
    bench.lists.messages = [message("1", 3)];
    let onWrite: () => void = () => {};
    const write = bench.store.cover.bind(bench.store);
    vi.spyOn(bench.store, "cover").mockImplementationOnce(async (changes) => {
      await new Promise<void>((resolve) => (onWrite = resolve));
      await write(changes);
    });
    bench.down(NOON + 2 * MINUTE);
    bench.refusedDeliveries = [ID];
    await bench.pass(MINUTE);
    expect(bench.refusedDeliveries).toEqual([]);
    expect(bench.readBack).toEqual([]);

    onWrite();
    await when(() => (bench.readBack.length > 0 ? true : undefined));
    expect(bench.readBack).toEqual(["1"]);
    expect(bench.catchup.reachable()).toEqual([]);
  });

  it("are in doubt if the platform refuses a replay because it can't reach the webhook", async () => {
    bench.answerReplay = () => {
      throw refused(400, { reason: "CrcValidationFailed" });
    };
    await bench.cover(-180, -60);
    await bench.start();
    await when(() => (bench.raised.length > 0 ? true : undefined));

    expect(bench.raised).toEqual([
      { accounts: [ID], since: NOON - 5 * MINUTE, reason: expect.stringContaining("refused") },
    ]);
  });

  it("are in doubt if a message can be read that was not delivered", async () => {
    await bench.start();
    await bench.pass(20 * MINUTE);
    await bench.reachable();
    bench.lists.messages = [message("1", 22)];
    await bench.pass(20 * MINUTE);
    await when(() => (bench.raised.length > 0 ? true : undefined));

    expect(bench.raised).toMatchObject([{ accounts: [ID], reason: "deliveries were missed" }]);
    expect(bench.readBack).toEqual(["1"]);
  });
});
