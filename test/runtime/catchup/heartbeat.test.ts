import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  BEAT_EVERY_MS,
  type HeartbeatNeeds,
  SETTLED_AFTER_MS,
  Heartbeat,
} from "../../../src/runtime/catchup/heartbeat.ts";
import { ledgerOf } from "../../../src/runtime/catchup/ledger.ts";
import { FOREVER } from "../../../src/runtime/catchup/ledger-spans.ts";
import type { ToldSetBack } from "../../../src/runtime/clock/clock.ts";
import { liveClock } from "../../../src/runtime/clock/platform-clock.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { openMemoryStore } from "../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";

const MINUTE = 60_000;

let store: Store;
let clock: HandClock;
let real: number;
let heartbeat: Heartbeat;
let gaps: number;
let setBacks: ToldSetBack[];

beforeEach(() => {
  store = openMemoryStore();
  clock = handClock(0);
  real = 5_000_000;
  gaps = 0;
  setBacks = [];
  heartbeat = opened();
});
const opened = (over: Partial<HeartbeatNeeds> = {}) =>
  new Heartbeat({
    ledger: ledgerOf(store),
    clock: { ...clock, setBacks: () => setBacks },
    monotonic: () => real,
    log: openLog({ level: "silent" }),
    onGap: () => (gaps += 1),
    onFirst: () => {},
    onSetBack: async () => {},
    ...over,
  });
afterEach(async () => {
  await heartbeat.stop();
  await store.close();
});

const up = (since = clock.now()) => heartbeat.change({ account: "100", reachable: true, since });
const expected = async () => (await store.coverage()).map(({ from, to }) => [from, to]);

describe("the heartbeat", () => {
  it("records settled time with deliveries as covered but unproven", async () => {
    await up();
    clock.advance(5 * MINUTE);
    await heartbeat.beat();

    expect(await expected()).toEqual([[0, 5 * MINUTE - SETTLED_AFTER_MS]]);
  });

  it("leaves out the time in which this process was stopped", async () => {
    await up();
    clock.advance(5 * MINUTE);
    await heartbeat.beat();
    clock.advance(60 * MINUTE);
    real += 60 * MINUTE;
    const before = gaps;
    await heartbeat.beat();
    expect(gaps).toBe(before + 1);
    clock.advance(MINUTE);
    await heartbeat.beat();

    expect(await expected()).toEqual([
      [0, 5 * MINUTE - SETTLED_AFTER_MS],
      [65 * MINUTE, 66 * MINUTE - SETTLED_AFTER_MS],
    ]);
    expect(gaps).toBe(before + 1);
  });

  it("leaves out no time while the clock is moved by hand, step by step", async () => {
    let [now, isMoving] = [0, false];
    let jump = (): void => {};
    await heartbeat.stop();
    const onJump = (listener: () => void) => {
      jump = listener;
      return () => {};
    };
    heartbeat = opened({ clock: { now: () => now, onJump, isMoving: () => isMoving } });
    await up(0);
    const before = gaps;
    isMoving = true;
    jump();
    for (let hour = 1; hour <= 3; hour += 1) {
      now = hour * 60 * MINUTE;
      await heartbeat.beat();
    }
    isMoving = false;
    jump();
    await heartbeat.beat();

    expect(gaps).toBe(before);
    expect(await expected()).toEqual([[0, 180 * MINUTE - SETTLED_AFTER_MS]]);
    now += 60 * MINUTE;
    await heartbeat.beat();
    expect(gaps).toBe(before + 1);
  });

  it("leaves out more than a minute that only the clock shows, since the machine slept", async () => {
    await heartbeat.stop();
    // This clock is not moved by hand: it reports no jumps.
    heartbeat = opened({ clock: { now: () => clock.now(), onJump: () => () => {} } });
    await up();
    clock.advance(MINUTE);
    await heartbeat.beat();
    expect(await expected()).toEqual([[0, MINUTE - SETTLED_AFTER_MS]]);

    clock.advance(MINUTE + 1);
    await heartbeat.beat();
    expect(await expected()).toEqual([
      [0, MINUTE - SETTLED_AFTER_MS],
      [2 * MINUTE + 1, 2 * MINUTE + 2],
    ]);
  });

  it("leaves out the time by which the platform's time corrects the clock after a suspension", async () => {
    await heartbeat.stop();
    const corrected = await liveClock({
      baseUrl: "http://127.0.0.1:9",
      log: openLog({ level: "silent" }),
      memory: { read: async () => undefined, write: async () => {} },
      machine: () => clock.now(),
    });
    heartbeat = opened({ clock: corrected });
    await up();
    clock.advance(MINUTE);
    await heartbeat.beat();
    // A virtual machine that is paused for an hour goes on with the time of the pause.
    corrected.learn({ date: new Date(61 * MINUTE).toUTCString() }, 0);
    await heartbeat.beat();

    expect(await expected()).toEqual([
      [0, MINUTE - SETTLED_AFTER_MS],
      [61 * MINUTE, 61 * MINUTE + 1],
    ]);
  });

  it("records nothing of the latest half minute, whose deliveries may still be in transit", async () => {
    await up();
    clock.advance(SETTLED_AFTER_MS);
    await heartbeat.beat();
    expect(await expected()).toEqual([[0, 1]]);

    clock.advance(2);
    await heartbeat.beat();
    expect(await expected()).toEqual([[0, 2]]);
  });

  it("records nothing from before deliveries arrived, even if a beat follows at once", async () => {
    clock.advance(MINUTE);
    await up();
    clock.advance(10_000);
    await heartbeat.beat();
    clock.advance(MINUTE);
    await heartbeat.beat();

    expect(await expected()).toEqual([[MINUTE, 2 * MINUTE + 10_000 - SETTLED_AFTER_MS]]);
  });

  it("records the time up to now by itself, every 15 seconds", async () => {
    await heartbeat.stop();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    heartbeat = opened();
    await up();
    clock.advance(MINUTE);
    await vi.advanceTimersByTimeAsync(BEAT_EVERY_MS - 1);
    expect(await expected()).toEqual([[0, 1]]);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();

    await when(async () => ((await expected())[0]?.[1] === SETTLED_AFTER_MS ? true : undefined));
  });

  it("records the time up to its stop", async () => {
    await up();
    clock.advance(5 * MINUTE);
    await heartbeat.stop();

    expect(await expected()).toEqual([[0, 5 * MINUTE - SETTLED_AFTER_MS]]);
  });

  it("reports an account whose events arrive for the first time, also since it was unlinked", async () => {
    const first: string[] = [];
    await heartbeat.stop();
    heartbeat = opened({
      onFirst: (changes) => first.push(...changes.map(({ account }) => account)),
    });
    await up();
    expect(first).toEqual(["100"]);
    await up();
    await heartbeat.change({ account: "100", reachable: false, since: MINUTE });
    clock.advance(10 * MINUTE);
    await up();
    expect(first).toEqual(["100"]);

    await heartbeat.change({ account: "100", reachable: false, since: 15 * MINUTE });
    await ledgerOf(store).retire("100", clock.now());
    clock.advance(10 * MINUTE);
    await up();
    expect((await expected()).at(-1)).toEqual([20 * MINUTE, 20 * MINUTE + 1]);
    expect(first).toEqual(["100", "100"]);
    clock.advance(MINUTE);
    await heartbeat.beat();
    expect(await expected()).toContainEqual([20 * MINUTE, 21 * MINUTE - SETTLED_AFTER_MS]);
  });

  it("covers no time after an account was unlinked, although its subscription ends later", async () => {
    await up();
    clock.advance(5 * MINUTE);
    await heartbeat.beat();
    clock.advance(MINUTE);
    await heartbeat.retire("100", clock.now());
    clock.advance(10 * MINUTE);
    await heartbeat.beat();
    await heartbeat.change({ account: "100", reachable: false, since: 2 * MINUTE });

    expect(await expected()).toEqual([
      [0, 2 * MINUTE],
      [6 * MINUTE, FOREVER],
    ]);
  });

  it("reports that there may be a gap when deliveries arrive again, but not for a repeated report", async () => {
    await up();
    expect(gaps).toBe(1);
    await up(MINUTE);
    expect(gaps).toBe(1);
    expect(await expected()).toEqual([[0, 1]]);
  });

  it("makes the same number of store calls for many accounts that change together as for one", async () => {
    let calls = 0;
    const counted = new Heartbeat({
      ledger: ledgerOf({
        coverage: (query) => ((calls += 1), store.coverage(query)),
        coverageGaps: (query) => ((calls += 1), store.coverageGaps(query)),
        cover: (changes) => ((calls += 1), store.cover(changes)),
        getMeta: (name) => store.getMeta(name),
        setMeta: (...value) => store.setMeta(...value),
      }),
      clock: { ...clock, setBacks: () => setBacks },
      monotonic: () => real,
      log: openLog({ level: "silent" }),
      onGap: () => {},
      onFirst: () => {},
      onSetBack: async () => {},
    });
    const accounts = Array.from({ length: 500 }, (_, n) => String(1_000 + n));
    const all = (reachable: boolean, since: number) =>
      Promise.all(accounts.map((account) => counted.change({ account, reachable, since })));
    await counted.beat();
    calls = 0;
    await all(true, 0);
    clock.advance(60 * MINUTE);
    await counted.beat();
    await all(false, 30 * MINUTE);

    expect(calls).toBeLessThan(10);
    expect(new Set(await expected())).toEqual(new Set(accounts.map(() => [0, 30 * MINUTE])));
    expect(await expected()).toHaveLength(accounts.length);
    await counted.stop();
  });

  it("records a change that the store refused at the next beat", async () => {
    let isBroken = false;
    const broken = new Heartbeat({
      ledger: ledgerOf({
        coverage: (query) => store.coverage(query),
        coverageGaps: (query) => store.coverageGaps(query),
        cover: async (changes) => {
          if (isBroken) throw new Error("no space left");
          await store.cover(changes);
        },
        getMeta: (name) => store.getMeta(name),
        setMeta: (...value) => store.setMeta(...value),
      }),
      clock: { ...clock, setBacks: () => setBacks },
      monotonic: () => real,
      log: openLog({ level: "silent" }),
      onGap: () => {},
      onFirst: () => {},
      onSetBack: async () => {},
    });
    const change = (reachable: boolean, since: number) =>
      broken.change({ account: "100", reachable, since });
    await change(true, 0);
    clock.advance(20 * MINUTE);
    await broken.beat();
    isBroken = true;
    await expect(change(false, 10 * MINUTE)).rejects.toThrow("no space left");
    await expect(change(true, 20 * MINUTE)).rejects.toThrow("no space left");
    isBroken = false;
    await broken.beat();

    expect(broken.reachable()).toEqual(["100"]);
    expect(await ledgerOf(store).gaps(["100"])).toEqual([
      { account: "100", from: 10 * MINUTE, to: 20 * MINUTE },
    ]);
    await broken.stop();
  });

  it("records the last arrival of an account whose deliveries begin and end at once", async () => {
    const changes = [true, false, true, false].map((reachable, n) =>
      heartbeat.change({ account: "100", reachable, since: n * MINUTE }),
    );
    await Promise.all(changes);

    expect(heartbeat.reachable()).toEqual([]);
    expect(await expected()).toEqual([
      [0, 1],
      [2 * MINUTE, 2 * MINUTE + 1],
    ]);
  });

  it("removes the coverage recorded after the last sure arrival of deliveries", async () => {
    await up();
    clock.advance(60 * MINUTE);
    await heartbeat.beat();
    await heartbeat.change({ account: "100", reachable: false, since: 20 * MINUTE });
    clock.advance(10 * MINUTE);
    await heartbeat.beat();
    await up();

    expect(await expected()).toEqual([
      [0, 20 * MINUTE],
      [70 * MINUTE, 70 * MINUTE + 1],
    ]);
    expect(await ledgerOf(store).gaps(["100"])).toEqual([
      { account: "100", from: 20 * MINUTE, to: 70 * MINUTE },
    ]);
  });

  it("continues after a set-back of the clock, and forgets nothing", async () => {
    await up();
    clock.advance(60 * MINUTE);
    await heartbeat.beat();
    clock.advance(-30 * MINUTE);
    await heartbeat.beat();
    clock.advance(40 * MINUTE);
    await heartbeat.beat();
    real += SETTLED_AFTER_MS;
    await heartbeat.beat();

    expect(await expected()).toEqual([[0, 70 * MINUTE - SETTLED_AFTER_MS]]);
  });

  describe("after a set-back of the clock", () => {
    const gapsOf = () => ledgerOf(store).gaps(["100"]);

    it("has a gap where this process was down during the repeated time", async () => {
      await up();
      clock.advance(60 * MINUTE);
      await heartbeat.beat();
      clock.advance(-30 * MINUTE);
      await heartbeat.beat();
      clock.advance(10 * MINUTE);
      real += SETTLED_AFTER_MS;
      await heartbeat.stop();
      clock.advance(15 * MINUTE);
      heartbeat = opened();
      await up();

      expect(await gapsOf()).toEqual([
        { account: "100", from: 40 * MINUTE - SETTLED_AFTER_MS, to: 55 * MINUTE },
      ]);
    });

    it("keeps an earlier gap, even when deliveries arrive during its repeated time", async () => {
      await up();
      clock.advance(20 * MINUTE);
      await heartbeat.beat();
      await heartbeat.change({ account: "100", reachable: false, since: 10 * MINUTE });
      await up();
      clock.advance(10 * MINUTE);
      await heartbeat.beat();
      clock.advance(-25 * MINUTE);
      await heartbeat.beat();
      clock.advance(60 * MINUTE);
      real += SETTLED_AFTER_MS;
      await heartbeat.beat();

      expect(await gapsOf()).toEqual([{ account: "100", from: 10 * MINUTE, to: 20 * MINUTE }]);
    });

    it("has a gap for undelivered time when the clock is set back while the link is lost", async () => {
      await up();
      clock.advance(20 * MINUTE);
      await heartbeat.beat();
      await heartbeat.change({ account: "100", reachable: false, since: 15 * MINUTE });
      clock.advance(10 * MINUTE);
      await heartbeat.beat();
      clock.advance(-20 * MINUTE);
      await up();
      clock.advance(40 * MINUTE);
      await heartbeat.beat();

      expect(await gapsOf()).toEqual([{ account: "100", from: 15 * MINUTE, to: 30 * MINUTE }]);
    });

    it("reports a gap at once, even if it ends in time that was missed before", async () => {
      await up();
      clock.advance(20 * MINUTE);
      await heartbeat.beat();
      await heartbeat.change({ account: "100", reachable: false, since: 15 * MINUTE });
      clock.advance(-10 * MINUTE);
      await heartbeat.beat();
      clock.advance(6 * MINUTE);
      await up();

      expect(await gapsOf()).toEqual([{ account: "100", from: 10 * MINUTE, to: 20 * MINUTE }]);
    });

    it("counts time in transit as covered once it has settled, unless this process ends first", async () => {
      await up();
      clock.advance(20 * MINUTE);
      await heartbeat.beat();
      clock.advance(-10 * MINUTE);
      await heartbeat.beat();

      const onItsWay = { account: "100", from: 20 * MINUTE - SETTLED_AFTER_MS, to: 20 * MINUTE };
      expect(await gapsOf()).toEqual([onItsWay]);
      real += SETTLED_AFTER_MS - 1;
      await heartbeat.beat();
      expect(heartbeat.settling()).toEqual([onItsWay]);
      real += 1;
      await heartbeat.beat();
      expect(heartbeat.settling()).toEqual([]);
      expect(await gapsOf()).toEqual([]);
    });

    it("does not count time in transit as covered if this process was suspended", async () => {
      const onItsWay = { account: "100", from: 20 * MINUTE - SETTLED_AFTER_MS, to: 20 * MINUTE };
      await up();
      clock.advance(20 * MINUTE);
      await heartbeat.beat();
      clock.advance(-10 * MINUTE);
      await heartbeat.beat();
      expect(heartbeat.settling()).toEqual([onItsWay]);
      real += MINUTE + 1;
      await heartbeat.beat();
      expect(heartbeat.settling()).toEqual([]);
      expect(await gapsOf()).toContainEqual(onItsWay);
    });

    it.each([
      { silentMs: MINUTE, inTransit: ["100"] },
      { silentMs: MINUTE + 1, inTransit: [] },
    ])("has time in transit unless $silentMs ms without a beat show a suspension", async (one) => {
      await up();
      await heartbeat.change({ account: "101", reachable: true, since: 0 });
      clock.advance(20 * MINUTE);
      await heartbeat.beat();
      await heartbeat.change({ account: "101", reachable: false, since: 20 * MINUTE });
      real += one.silentMs;
      clock.advance(-10 * MINUTE);
      await heartbeat.change({ account: "102", reachable: true, since: 10 * MINUTE });

      expect(heartbeat.settling().map(({ account }) => account)).toEqual(one.inTransit);
    });

    it("removes only coverage that is in doubt if deliveries stop later than the repeated time", async () => {
      await up();
      clock.advance(60 * MINUTE);
      await heartbeat.beat();
      clock.advance(-30 * MINUTE);
      await heartbeat.beat();
      real += SETTLED_AFTER_MS;
      clock.advance(70 * MINUTE);
      await heartbeat.beat();
      await heartbeat.change({ account: "100", reachable: false, since: 90 * MINUTE });

      expect(await expected()).toEqual([[0, 90 * MINUTE]]);
    });

    it("misses nothing of the first pass for an account whose deliveries began after it", async () => {
      await up();
      clock.advance(60 * MINUTE);
      await heartbeat.beat();
      clock.advance(-30 * MINUTE);
      await heartbeat.beat();
      await heartbeat.change({ account: "101", reachable: true, since: 30 * MINUTE });
      clock.advance(20 * MINUTE);
      await heartbeat.beat();
      await heartbeat.change({ account: "101", reachable: false, since: 40 * MINUTE });

      expect((await ledgerOf(store).missed()).map(({ account }) => account)).not.toContain("101");
      expect(await store.coverage({ account: "101" })).toMatchObject([
        { from: 30 * MINUTE, to: 40 * MINUTE },
      ]);
    });

    it("does not count time in transit as covered if the deliveries stop meanwhile", async () => {
      await up();
      await heartbeat.change({ account: "101", reachable: true, since: 0 });
      clock.advance(20 * MINUTE);
      await heartbeat.beat();
      clock.advance(-10 * MINUTE);
      await heartbeat.beat();
      await heartbeat.change({ account: "100", reachable: false, since: 20 * MINUTE });

      expect(heartbeat.settling().map(({ account }) => account)).toEqual(["101"]);
    });

    it("removes the coverage of both passes if the deliveries turn out to be missing", async () => {
      await up();
      clock.advance(60 * MINUTE);
      await heartbeat.beat();
      clock.advance(-30 * MINUTE);
      await heartbeat.beat();
      clock.advance(10 * MINUTE);
      real += SETTLED_AFTER_MS;
      await heartbeat.beat();
      await heartbeat.change({ account: "100", reachable: false, since: 50 * MINUTE });
      clock.advance(MINUTE);
      await up();
      clock.advance(40 * MINUTE);
      await heartbeat.beat();

      expect(await gapsOf()).toEqual([
        { account: "100", from: 30 * MINUTE, to: 41 * MINUTE },
        { account: "100", from: 50 * MINUTE, to: 60 * MINUTE },
      ]);
    });

    it("has a gap for the whole unobserved time if the platform reports the set-back", async () => {
      await up();
      clock.advance(60 * MINUTE);
      await heartbeat.stop();
      setBacks.push({ n: 1, was: 70 * MINUTE, to: 40 * MINUTE });
      clock.advance(5 * MINUTE);
      heartbeat = opened();
      await up();
      clock.advance(40 * MINUTE);
      await heartbeat.beat();

      expect(await gapsOf()).toEqual([{ account: "100", from: 40 * MINUTE, to: 70 * MINUTE }]);
      expect(await ledgerOf(store).seen()).toBe(1);
    });

    it("puts the last 24 hours in doubt if no one reported the set-back", async () => {
      const DAY = 24 * 60 * MINUTE;
      await up();
      clock.advance(2 * DAY);
      await heartbeat.stop();
      clock.advance(-30 * MINUTE);
      heartbeat = opened();
      await up();

      expect(await gapsOf()).toEqual([
        { account: "100", from: DAY - 29 * MINUTE, to: 2 * DAY - 30 * MINUTE },
      ]);
    });

    it("does not change an account that is not linked", async () => {
      await up();
      clock.advance(60 * MINUTE);
      await heartbeat.beat();
      await heartbeat.change({ account: "100", reachable: false, since: 60 * MINUTE });
      await ledgerOf(store).retire("100", clock.now());
      clock.advance(-30 * MINUTE);
      await heartbeat.beat();

      expect((await store.coverage()).map(({ from, state }) => [from, state])).toEqual([
        [0, "unproven"],
        [30 * MINUTE, "lost"],
      ]);
    });
  });
});
