import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Ledger, ledgerOf } from "../../../src/runtime/catchup/ledger.ts";
import { FOREVER } from "../../../src/runtime/catchup/ledger-spans.ts";
import type { CoverageChange } from "../../../src/runtime/store/coverage.ts";
import { openMemoryStore } from "../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../src/runtime/store/store.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let store: Store;
let ledger: Ledger;
beforeEach(() => {
  store = openMemoryStore();
  ledger = ledgerOf(store);
});
afterEach(() => store.close());

/** Creates a change of coverage between two minutes. */
const change = (
  state: CoverageChange["state"],
  from: number,
  to: number,
  account = "1",
): CoverageChange => ({ account, state, from: from * MINUTE, to: to * MINUTE });

const gap = (from: number, to: number, account = "1") => ({
  account,
  from: from * MINUTE,
  to: to * MINUTE,
});

const inMinutes = (at: number) => (at >= FOREVER ? Infinity : at / MINUTE);

/** Returns the coverage of an account, in minutes. */
const coverage = async (account = "1") =>
  (await store.coverage({ account })).map(({ from, to, state }) => {
    return [inMinutes(from), inMinutes(to), state];
  });

/** Returns the gaps of accounts, in minutes. */
const gaps = async (...accounts: string[]) =>
  (await ledger.gaps(accounts)).map(({ account, from, to }) => [account, from, to].map(readable));

const readable = (value: string | number) => (typeof value === "string" ? value : value / MINUTE);

describe("the gaps", () => {
  it("of several accounts are listed by age, those of other accounts are not", async () => {
    for (const [account, from] of [
      ["1", 20],
      ["2", 10],
      ["3", 0],
    ] as const) {
      await ledger.cover([
        change("unproven", from, from + 5, account),
        change("unproven", from + 10, from + 15, account),
        change("unproven", from + 40, from + 45, account),
      ]);
    }

    expect(await gaps("1", "2")).toEqual([
      ["2", 15, 20],
      ["1", 25, 30],
      ["2", 25, 50],
      ["1", 35, 60],
    ]);
    expect(await gaps("3")).toEqual([
      ["3", 5, 10],
      ["3", 15, 40],
    ]);
    expect(await gaps()).toEqual([]);
  });

  it("include those missed before a set-back of the clock, joined with the present ones", async () => {
    await ledger.cover([change("unproven", 0, 10), change("unproven", 20, 30)]);
    await ledger.missedBefore(gap(15, 40));
    await ledger.missedBefore(gap(50, 60, "2"));
    await ledger.missedBefore(gap(70, 70));
    expect(await ledger.missed()).toEqual([gap(15, 40), gap(50, 60, "2")]);

    expect(await gaps("1", "2")).toEqual([
      ["1", 10, 40],
      ["2", 50, 60],
    ]);
    expect(await gaps("1")).toEqual([["1", 10, 40]]);
  });

  it("are closed within a span, also those missed before a set-back of the clock", async () => {
    await ledger.cover([change("unproven", 0, 10), change("unproven", 40, 50)]);
    await ledger.missedBefore(gap(45, 60));
    const open = await ledger.gaps(["1"]);
    expect(open).toEqual([gap(10, 40), gap(45, 60)]);
    await ledger.close(open, { from: 20 * MINUTE, to: 55 * MINUTE }, { state: "replayed" });

    expect(await gaps("1")).toEqual([
      ["1", 10, 20],
      ["1", 55, 60],
    ]);
    expect(await coverage()).toEqual([
      [0, 10, "unproven"],
      [20, 40, "replayed"],
      [40, 45, "unproven"],
      [45, 55, "replayed"],
    ]);
  });

  it("stay open in time that was missed before a set-back, even when deliveries come again", async () => {
    await ledger.missedBefore(gap(10, 20));
    await ledger.cover([
      change("unproven", 0, 30),
      change("unproven", 0, 30, "2"),
      change("open", 40, 50),
    ]);
    expect(await coverage()).toEqual([
      [0, 10, "unproven"],
      [20, 30, "unproven"],
    ]);
    expect(await coverage("2")).toEqual([[0, 30, "unproven"]]);

    const mark = { ...change("unproven", 12, 12), to: 12 * MINUTE + 1 };
    await ledger.cover([mark, { ...change("unproven", 14, 14), to: 14 * MINUTE + 2 }]);
    expect((await store.coverage()).filter(({ from }) => from > 10 * MINUTE)).toMatchObject([
      { from: 12 * MINUTE, to: 12 * MINUTE + 1 },
      { from: 20 * MINUTE },
    ]);
    await ledger.cover([change("replayed", 10, 20)]);
    expect((await coverage())[1]).toEqual([10, 20, "replayed"]);
  });
});

describe("the end of an account's coverage", () => {
  it("is the end of its last span", async () => {
    await ledger.cover([
      change("unproven", 0, 10),
      change("unproven", 20, 30),
      change("unproven", 0, 40, "2"),
    ]);

    expect(await ledger.ends(["1", "3"])).toEqual(new Map([["1", 30 * MINUTE]]));
    expect(await ledger.ends(["2", "1"])).toEqual(
      new Map([
        ["1", 30 * MINUTE],
        ["2", 40 * MINUTE],
      ]),
    );
  });
});

describe("an account that was unlinked", () => {
  it("is expected to get no events until it is covered again", async () => {
    await ledger.cover([change("unproven", 0, 10), change("unproven", 0, 10, "2")]);
    expect(await ledger.expectedSince("1")).toBe(-Infinity);
    await ledger.retire("1", 12 * MINUTE);
    await ledger.retire("1", 15 * MINUTE);
    await ledger.retire("3", 12 * MINUTE);

    expect(await store.coverage({ account: "1" })).toEqual([
      { ...change("unproven", 0, 10) },
      { account: "1", state: "lost", reason: "it was not linked", from: 12 * MINUTE, to: FOREVER },
    ]);
    expect(await ledger.unlinked("1")).toMatchObject([{ from: 12 * MINUTE, to: FOREVER }]);
    expect(await coverage("2")).toEqual([[0, 10, "unproven"]]);
    expect(await coverage("3")).toEqual([]);

    await ledger.cover([{ ...change("open", 30, 0), to: FOREVER }, change("unproven", 30, 40)]);
    expect(await ledger.expectedSince("1")).toBe(30 * MINUTE);
    expect(await gaps("1")).toEqual([["1", 10, 12]]);
    expect(await ledger.unlinked("2")).toEqual([]);
  });

  it("is expected to get events until the end of its coverage if the clock was set back before", async () => {
    await ledger.cover([change("unproven", 0, 10)]);
    await ledger.retire("1", 5 * MINUTE);

    expect(await ledger.unlinked("1")).toMatchObject([{ from: 10 * MINUTE, to: FOREVER }]);
  });

  it("is expected to get events since the latest of several times without a link", async () => {
    await ledger.cover([
      { ...change("lost", 0, 10), reason: "it was not linked" },
      change("unproven", 10, 20),
      { ...change("lost", 20, 30), reason: "it was not linked" },
      { ...change("lost", 40, 50), reason: "over 24 hours old" },
      { ...change("lost", 60, 70, "2"), reason: "it was not linked" },
    ]);

    expect(await ledger.expectedSince("1")).toBe(30 * MINUTE);
  });
});

describe("the proof of deliveries", () => {
  beforeEach(async () => {
    await store.cover([
      change("unproven", 0, 10),
      change("compared", 10, 20),
      change("delivered", 20, 30),
      change("unproven", 30, 40),
      change("unproven", 0, 40, "2"),
    ]);
  });
  const span = (from: number, to: number) => ({ from: from * MINUTE, to: to * MINUTE });

  it("is missing in stretches that are unproven, or only compared", async () => {
    expect(await ledger.unproven(["1"], span(5, 35))).toEqual([
      gap(5, 10),
      gap(10, 20),
      gap(30, 35),
    ]);
    expect(await ledger.unproven(["1"], span(10, 30))).toEqual([gap(10, 20)]);
    expect(await ledger.unproven(["2", "3"], span(0, 5))).toEqual([gap(0, 5, "2")]);
    expect(await ledger.unproven([], span(0, 40))).toEqual([]);
  });

  it("and the comparison are missing in stretches that are unproven", async () => {
    expect(await ledger.uncompared("1", span(5, 35))).toEqual([span(5, 10), span(30, 35)]);
    expect(await ledger.uncompared("1", span(10, 30))).toEqual([]);
  });

  it("is recorded only for stretches without a proof", async () => {
    await ledger.vouch([gap(5, 35), gap(50, 60)], "replayed");

    expect(await coverage()).toEqual([
      [0, 5, "unproven"],
      [5, 20, "replayed"],
      [20, 30, "delivered"],
      [30, 35, "replayed"],
      [35, 40, "unproven"],
    ]);
    expect(await coverage("2")).toEqual([[0, 40, "unproven"]]);
  });

  it("is not taken back by a doubt, and the unproven time since the doubt is a gap", async () => {
    await ledger.takeBack([
      { account: "1", since: 15 * MINUTE },
      { account: "3", since: 0 },
    ]);

    expect(await coverage()).toEqual([
      [0, 10, "unproven"],
      [10, 15, "compared"],
      [20, 30, "delivered"],
    ]);
    expect(await coverage("2")).toEqual([[0, 40, "unproven"]]);
  });

  it("leaves the first millisecond of coverage, from which gaps are looked for", async () => {
    await store.cover([change("unproven", 5, 40, "4")]);
    await ledger.takeBack([
      { account: "2", since: 0 },
      { account: "4", since: 0 },
    ]);

    expect(await store.coverage({ account: "2" })).toEqual([
      { account: "2", state: "unproven", from: 0, to: 1 },
    ]);
    expect(await store.coverage({ account: "4" })).toEqual([
      { account: "4", state: "unproven", from: 5 * MINUTE, to: 5 * MINUTE + 1 },
    ]);
  });
});

describe("after a set-back of the clock", () => {
  const setBack = (was: number, to: number) =>
    ledger.setBack({ was: was * MINUTE, to: to * MINUTE });

  it("the repeated time counts as covered only if it was covered before, too", async () => {
    await store.cover([
      change("unproven", 0, 10),
      change("delivered", 20, 40),
      change("unproven", 50, 58),
    ]);
    expect(await setBack(60, 30)).toEqual([gap(58, 60)]);

    expect(await coverage()).toEqual([
      [0, 10, "unproven"],
      [20, 30, "delivered"],
    ]);
    expect(await ledger.missed()).toEqual([gap(40, 50), gap(58, 60)]);
    await ledger.cover([change("unproven", 30, 70)]);
    expect(await gaps("1")).toEqual([
      ["1", 10, 20],
      ["1", 40, 50],
      ["1", 58, 60],
    ]);
    await ledger.cameAfterAll([gap(58, 60)]);
    expect(await ledger.missed()).toEqual([gap(40, 50)]);
  });

  it("before all coverage, events are expected from the new time on", async () => {
    await store.cover([change("unproven", 20, 30), change("unproven", 10, 30, "2")]);
    await setBack(30, 10);

    expect(await ledger.missed()).toEqual([]);
    expect(await store.coverage()).toEqual(
      ["1", "2"].map((account) => {
        return { account, state: "unproven", from: 10 * MINUTE, to: 10 * MINUTE + 1 };
      }),
    );
  });

  it("an account that is not linked is not expected to get events", async () => {
    await ledger.cover([change("unproven", 0, 10)]);
    await ledger.retire("1", 10 * MINUTE);
    expect(await setBack(60, 5)).toEqual([]);

    expect(await store.coverage()).toEqual([
      change("unproven", 0, 5),
      { account: "1", state: "lost", reason: "it was not linked", from: 5 * MINUTE, to: FOREVER },
    ]);
    expect(await ledger.missed()).toEqual([]);
  });

  it("that nobody reported, the day before is in doubt if coverage reaches into the future", async () => {
    const now = 2 * DAY;
    await store.cover([
      { ...change("unproven", 0, 0), to: now + 1 },
      { ...change("unproven", 0, 0, "2"), to: now },
      { account: "3", state: "unproven", from: now - MINUTE, to: now + 1 },
    ]);
    await ledger.retire("4", now);
    await ledger.doubtAfter(now);

    expect(await store.coverage()).toEqual([
      { account: "1", state: "unproven", from: 0, to: DAY },
      { account: "2", state: "unproven", from: 0, to: now },
      { account: "3", state: "unproven", from: now - MINUTE, to: now - MINUTE + 1 },
    ]);
  });

  it("does not doubt the time of an account that is not linked", async () => {
    await ledger.cover([change("unproven", 0, 10)]);
    await ledger.retire("1", 10 * MINUTE);
    const before = await store.coverage();
    await ledger.doubtAfter(20 * MINUTE);

    expect(await store.coverage()).toEqual(before);
  });
});

describe("the record of set-backs and missed gaps", () => {
  it("is kept on disk, and joins gaps that overlap", async () => {
    await ledger.missedBefore(gap(10, 30));
    await ledger.missedBefore(gap(20, 40));
    await ledger.missedBefore(gap(0, 5, "2"));
    await ledger.saw(3);
    await ledger.saw(2);
    const later = ledgerOf(store);

    expect(await later.seen()).toBe(3);
    expect(await later.missed()).toEqual([gap(10, 20), gap(20, 40), gap(0, 5, "2")]);
    await later.cameAfterAll([gap(15, 25), gap(0, 5)]);
    expect(await later.missed()).toEqual([gap(10, 15), gap(25, 40), gap(0, 5, "2")]);
  });

  it("is written only when it changes", async () => {
    let writes = 0;
    const counted = ledgerOf({
      coverage: (query) => store.coverage(query),
      coverageGaps: (query) => store.coverageGaps(query),
      cover: (changes) => store.cover(changes),
      getMeta: (name) => store.getMeta(name),
      setMeta: async (...value) => {
        writes += 1;
        await store.setMeta(...value);
      },
    });
    expect(await counted.seen()).toBe(0);
    await counted.saw(0);
    await counted.cameAfterAll([gap(0, 10)]);
    await counted.missed();
    expect(writes).toBe(0);

    await counted.missedBefore(gap(0, 10));
    await counted.cameAfterAll([gap(10, 20), gap(0, 10, "2")]);
    await counted.saw(1);
    await counted.saw(1);
    expect(writes).toBe(2);
  });

  it("is read from disk again after a write failed", async () => {
    let isBroken = false;
    const broken = ledgerOf({
      coverage: (query) => store.coverage(query),
      coverageGaps: (query) => store.coverageGaps(query),
      cover: (changes) => store.cover(changes),
      getMeta: (name) => store.getMeta(name),
      setMeta: async (...value) => {
        if (isBroken) throw new Error("no space left");
        await store.setMeta(...value);
      },
    });
    await broken.missedBefore(gap(0, 10));
    isBroken = true;
    await expect(broken.missedBefore(gap(20, 30))).rejects.toThrow("no space left");
    isBroken = false;

    expect(await broken.missed()).toEqual([gap(0, 10)]);
    await broken.missedBefore(gap(40, 50));
    expect(await ledgerOf(store).missed()).toEqual([gap(0, 10), gap(40, 50)]);
  });
});
