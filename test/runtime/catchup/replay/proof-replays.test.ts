import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type ProofReplays,
  proofReplays,
} from "../../../../src/runtime/catchup/replay/proof-replays.ts";
import { type Ledger, ledgerOf } from "../../../../src/runtime/catchup/ledger.ts";
import type { CoverageState } from "../../../../src/runtime/store/coverage.ts";
import { openMemoryStore } from "../../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../../src/runtime/store/store.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A full minute, since replays are requested in full minutes. */
const NOW = Date.UTC(2026, 0, 2, 12);

let store: Store;
let ledger: Ledger;
let proofs: ProofReplays;
let ages: Record<string, number>;
beforeEach(() => {
  store = openMemoryStore();
  ledger = ledgerOf(store);
  ages = { a: 0, b: 0 };
  proofs = proofReplays({ ledger, subscribedSince: (account) => ages[account] });
});
afterEach(async () => {
  await store.close();
});

/** Records coverage of an account from `began` to `ended` minutes before now. */
const note = (account: string, state: CoverageState, began: number, ended: number) =>
  store.cover([{ account, from: NOW - began * MINUTE, to: NOW - ended * MINUTE, state }]);

/** Returns the coverage of an account, with times in minutes before now. */
const coverageOf = async (account: string) =>
  (await store.coverage({ account })).map(({ from, to, state }) => [
    (NOW - from) / MINUTE,
    (NOW - to) / MINUTE,
    state,
  ]);

const job = (began: number, ended: number, accounts: readonly string[] = ["a"]) => ({
  from: NOW - began * MINUTE,
  to: NOW - ended * MINUTE,
  by: "check" as const,
  accounts: [...accounts],
  askedAt: NOW,
  attempts: 1,
});

describe("a replay that proves", () => {
  it("is due once an hour is unproven and can be replayed, and not before", async () => {
    await note("a", "unproven", 70, 0);
    expect(await proofs.due(["a"], NOW)).toBeUndefined();

    const later = NOW + 5 * MINUTE;
    await store.cover([{ account: "a", from: NOW, to: later, state: "unproven" }]);
    expect(await proofs.due(["a"], later)).toEqual({
      from: NOW - 70 * MINUTE,
      to: later - 11 * MINUTE,
    });
  });

  it("is due for exactly an hour", async () => {
    await note("a", "unproven", 71, 0);

    expect(await proofs.due(["a"], NOW)).toEqual({
      from: NOW - 71 * MINUTE,
      to: NOW - 11 * MINUTE,
    });
  });

  it("checks at most every five minutes, and at once after a set-back of the clock", async () => {
    await note("a", "unproven", 200, 0);
    expect(await proofs.due(["a"], NOW)).toBeDefined();
    expect(await proofs.due(["a"], NOW)).toBeUndefined();
    expect(await proofs.due(["a"], NOW + 5 * MINUTE - 1)).toBeUndefined();
    expect(await proofs.due(["a"], NOW - 1)).toBeDefined();
    expect(await proofs.due(["a"], NOW + 5 * MINUTE)).toBeDefined();
  });

  it("requests at most two hours, and no time that a replay does not reach", async () => {
    await note("a", "unproven", 30 * 60, 0);
    const due = await proofs.due(["a"], NOW);

    expect(due).toEqual({ from: NOW - 24 * HOUR + MINUTE, to: NOW - 22 * HOUR + MINUTE });
  });

  it.each<CoverageState>(["delivered", "replayed", "backfilled", "lost"])(
    "is not due for time that is %s",
    async (state) => {
      await note("a", state, 300, 0);
      expect(await proofs.due(["a"], NOW)).toBeUndefined();
    },
  );

  it("is due for time for which only messages and mentions are proven", async () => {
    await note("a", "compared", 300, 0);
    expect(await proofs.due(["a"], NOW)).toEqual({
      from: NOW - 300 * MINUTE,
      to: NOW - 180 * MINUTE,
    });
  });

  it("is not due for accounts without deliveries, nor for time before their subscription", async () => {
    await note("a", "unproven", 300, 0);
    await note("b", "unproven", 300, 0);
    ages = { a: NOW - 30 * MINUTE };

    expect(await proofs.due(["a"], NOW)).toBeUndefined();
    expect(await proofs.due(["a", "b"], NOW + 5 * MINUTE)).toBeUndefined();
  });
});

describe("a replay that is complete", () => {
  it("proves the received deliveries if it brought nothing new, otherwise only its own events", async () => {
    await note("a", "unproven", 100, 0);
    await note("b", "compared", 100, 0);
    const fresh = new Map([["b", [NOW - 50 * MINUTE]]]);
    expect(await proofs.complete(job(80, 20, ["a", "b"]), [], fresh)).toEqual([]);

    expect(await coverageOf("a")).toEqual([
      [100, 80, "unproven"],
      [80, 20, "delivered"],
      [20, 0, "unproven"],
    ]);
    expect(await coverageOf("b")).toEqual([
      [100, 80, "compared"],
      [80, 20, "replayed"],
      [20, 0, "compared"],
    ]);
  });

  it("proves the deliveries of each stretch in which it brought no new event", async () => {
    await note("a", "unproven", 80, 60);
    await note("a", "delivered", 60, 50);
    await note("a", "unproven", 50, 30);
    await note("a", "delivered", 30, 20);
    await note("a", "unproven", 20, 10);
    const times = [55, 50, 30].map((minutes) => NOW - minutes * MINUTE);
    await proofs.complete(job(80, 10), [], new Map([["a", times]]));

    expect(await coverageOf("a")).toEqual([
      [80, 50, "delivered"],
      [50, 30, "replayed"],
      [30, 10, "delivered"],
    ]);
  });

  it("closes the gaps of all accounts if an earlier version stored the job, without accounts", async () => {
    await note("a", "unproven", 100, 80);
    await note("a", "unproven", 20, 0);
    const { accounts, ...earlier } = job(80, 20);
    await proofs.complete(earlier, await ledger.gaps(["a"]), new Map());

    expect(await ledger.gaps(["a"])).toEqual([]);
  });

  it("does not separate its events from other deliveries if an earlier process started it", async () => {
    await note("a", "unproven", 100, 0);
    await proofs.complete(job(80, 20), [], undefined);

    expect((await coverageOf("a"))[1]).toEqual([80, 20, "replayed"]);
  });

  it("closes gaps, except those of accounts that were not subscribed then", async () => {
    for (const account of ["a", "b"]) {
      await note(account, "unproven", 100, 80);
      await note(account, "unproven", 20, 0);
    }
    const gaps = await ledger.gaps(["a", "b"]);
    expect(await proofs.complete(job(80, 20), gaps, new Map())).toEqual([]);

    expect(await coverageOf("a")).toContainEqual([80, 20, "replayed"]);
    expect(await ledger.gaps(["a", "b"])).toEqual([
      { account: "b", from: NOW - 80 * MINUTE, to: NOW - 20 * MINUTE },
    ]);
  });

  it("proves nothing before the subscription began, and reports that part of a gap", async () => {
    await note("a", "unproven", 100, 80);
    await note("a", "unproven", 20, 0);
    ages = { a: NOW - 50 * MINUTE };
    const young = await proofs.complete(job(90, 10), await ledger.gaps(["a"]), new Map());

    expect(young).toEqual([{ account: "a", from: NOW - 80 * MINUTE, to: NOW - 50 * MINUTE }]);
    expect(await coverageOf("a")).toEqual([
      [100, 80, "unproven"],
      [50, 20, "replayed"],
      [20, 10, "delivered"],
      [10, 0, "unproven"],
    ]);
  });

  it("proves nothing if the start of the subscription is unknown", async () => {
    await note("a", "unproven", 100, 80);
    await note("a", "unproven", 20, 0);
    ages = {};
    const young = await proofs.complete(job(90, 10), await ledger.gaps(["a"]), new Map());

    expect(young).toEqual([{ account: "a", from: NOW - 80 * MINUTE, to: NOW - 20 * MINUTE }]);
    expect((await coverageOf("a")).map(([, , state]) => state)).toEqual(["unproven", "unproven"]);
  });
});
