import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type DeliveryGate,
  deliveryGate,
  HOLD_MS,
  REFUSE_MS,
} from "../../../src/runtime/catchup/gate.ts";
import { ComeAgain } from "../../../src/runtime/source.ts";

let gate: DeliveryGate;
let calls: string[];
let passed: string[];
/** Time of the platform. */
let now: number;

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  passed = [];
  now = 1_000;
  gate = deliveryGate({
    monotonic: () => Date.now(),
    now: () => now,
    onKnock: (account) => calls.push(`${account} knocked`),
    onLetThrough: (account) => calls.push(`${account} let through`),
  });
});
afterEach(() => void vi.useRealTimers());

/** Passes a delivery to the gate, which holds it back while missed events are being read. */
async function deliver(name: string, account = "100"): Promise<void> {
  await gate.pass({ for_user_id: account });
  passed.push(name);
}

/** Repeats a delivery to the gate until it passes, as the platform does. Returns how often the gate refused it. */
async function repeat(name: string): Promise<number> {
  for (let refused = 0; ; refused += 1) {
    try {
      await deliver(name);
      return refused;
    } catch (error) {
      if (!(error instanceof ComeAgain)) throw error;
    }
  }
}

describe("the gate before the journal", () => {
  it("is open at first, and always for deliveries without an account", async () => {
    await deliver("first");
    gate.close("100", 1_000);

    expect(gate.pass({})).toBeUndefined();
    expect(passed).toEqual(["first"]);
    expect(calls).toEqual([]);
  });

  it("holds only the deliveries of its account until it is opened", async () => {
    gate.close("100", 1_000);
    const held = ["first", "second"].map((name) => deliver(name));
    await deliver("of another", "101");
    await vi.advanceTimersByTimeAsync(HOLD_MS - 1);
    expect(passed).toEqual(["of another"]);

    gate.open("100");
    await Promise.all(held);

    expect(passed).toEqual(["of another", "first", "second"]);
    expect(calls).toEqual(["100 knocked"]);
  });

  it("holds a delivery for at most two seconds, then refuses it so that the platform repeats it", async () => {
    expect(HOLD_MS).toBe(2_000);
    gate.close("100", 1_000);
    const held = deliver("first").catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(HOLD_MS);
    expect(await held).toBeInstanceOf(ComeAgain);

    expect(passed).toEqual([]);
    expect(calls).toEqual(["100 knocked"]);
    gate.open("100");
    await deliver("first");
    expect(passed).toEqual(["first"]);
  });

  it("refuses for twenty seconds from the first held delivery, then lets all through until it is closed again", async () => {
    expect(REFUSE_MS).toBe(20_000);
    gate.close("100", 1_000);
    const first = repeat("first");
    await vi.advanceTimersByTimeAsync(REFUSE_MS - 1);
    gate.close("100", 2_000);
    expect(passed).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await first).toBe(REFUSE_MS / HOLD_MS - 1);
    expect(calls.at(-1)).toBe("100 let through");

    await deliver("second");
    expect(passed).toEqual(["first", "second"]);

    gate.close("100", 3_000);
    const third = deliver("third");
    await vi.advanceTimersByTimeAsync(HOLD_MS - 1);
    expect(passed).toEqual(["first", "second"]);
    gate.open("100");
    await third;
    expect(passed).toEqual(["first", "second", "third"]);
  });

  it("refuses nothing while a rate limit delays the reading for minutes", async () => {
    gate.close("100", 1_000);
    const held = deliver("first");
    gate.letThrough("100");
    await vi.advanceTimersByTimeAsync(HOLD_MS);
    await held;
    await deliver("second");

    expect(passed).toEqual(["first", "second"]);
    expect(calls.filter((call) => call === "100 let through")).toHaveLength(2);
  });

  it("stays closed when the reading ended before the time of its latest closing", async () => {
    gate.close("100", 1_000);
    gate.close("100", 2_000);
    const held = deliver("first");

    gate.open("100", 1_000);
    await vi.advanceTimersByTimeAsync(HOLD_MS - 1);
    expect(passed).toEqual([]);

    gate.open("100", 2_000);
    await held;
    expect(passed).toEqual(["first"]);
  });

  it("stays closed for a delivery that it refused until the event of this delivery is read", async () => {
    gate.close("100", 1_000);
    now = 1_500;
    const refused = deliver("first").catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(HOLD_MS);
    expect(await refused).toBeInstanceOf(ComeAgain);
    gate.open("100", 1_000);
    now = 4_000;
    const later = deliver("later");
    await vi.advanceTimersByTimeAsync(0);
    expect(passed).toEqual([]);
    expect(calls).toEqual(["100 knocked", "100 knocked"]);

    gate.open("100", 1_500);
    await later;
    expect(passed).toEqual(["later"]);
  });

  it("requests one reading for all deliveries, and another one if that reading failed", async () => {
    gate.close("100", 1_000);
    const held = ["first", "second"].map((name) => deliver(name));
    gate.awaitReading("100", 1_000);
    held.push(deliver("third"));
    expect(calls).toEqual(["100 knocked"]);

    gate.letThrough("100", true);
    await deliver("while a rate limit delays the reading");
    expect(calls).toEqual(["100 knocked", "100 let through"]);
    gate.letThrough("100", false);
    await deliver("after the failure");
    expect(calls.slice(2)).toEqual(["100 knocked", "100 let through"]);
    gate.awaitReading("100", 1_000);
    await deliver("during the second reading");
    expect(calls.slice(4)).toEqual(["100 let through"]);
    gate.open("100", 1_000);
    await Promise.all(held);
  });

  it("loses no delivery that arrives while it is closed, opened and closed again", async () => {
    const names = Array.from({ length: 60 }, (_, n) => `delivery ${n}`);
    const all: Promise<void>[] = [];
    for (const [n, name] of names.entries()) {
      if (n % 3 === 0) gate.close("100", 1_000);
      all.push(repeat(name).then(() => undefined));
      if (n % 4 === 0) gate.open("100");
      await vi.advanceTimersByTimeAsync(n % 5 === 0 ? HOLD_MS / 2 : 10);
    }
    await vi.advanceTimersByTimeAsync(REFUSE_MS);
    await Promise.all(all);

    expect(passed.toSorted()).toEqual(names.toSorted());
  });

  it("releases the deliveries that were held when it was closed a second time", async () => {
    gate.close("100", 1_000);
    const held = deliver("first");
    gate.close("100", 1_000);
    gate.open("100");
    await held;

    expect(passed).toEqual(["first"]);
    expect(calls).toEqual(["100 knocked"]);
  });
});
