import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Heartbeat,
  SETTLED_AFTER_MS,
  startHeartbeat,
} from "../../../src/runtime/catchup/heartbeat.ts";
import { ledgerOf } from "../../../src/runtime/catchup/ledger.ts";
import { openLog } from "../../../src/runtime/log.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { folderPlace } from "../store/place.ts";

const MINUTE = 60_000;

let place: Awaited<ReturnType<typeof folderPlace>>;
let store: Store;
let clock: HandClock;
let real: number;
let heartbeat: Heartbeat;
let gaps: number;

beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
  clock = handClock(0);
  real = 0;
  gaps = 0;
  heartbeat = startHeartbeat({
    ledger: ledgerOf(store),
    clock,
    monotonic: () => real,
    log: openLog({ level: "silent" }),
    onGap: () => (gaps += 1),
  });
});
afterEach(async () => {
  await heartbeat.stop();
  await store.close();
  await place.remove();
});

const up = (since = clock.now()) => heartbeat.change({ account: "100", reachable: true, since });
const delivered = async () => (await store.coverage()).map(({ from, to }) => [from, to]);

describe("the heartbeat", () => {
  it("notes as delivered what has settled since deliveries come", async () => {
    await up();
    clock.advance(5 * MINUTE);
    await heartbeat.beat();

    expect(await delivered()).toEqual([[0, 5 * MINUTE - SETTLED_AFTER_MS]]);
  });

  it("leaves the time out in which this process was stopped", async () => {
    await up();
    clock.advance(5 * MINUTE);
    await heartbeat.beat();
    clock.advance(60 * MINUTE);
    real += 60 * MINUTE;
    const before = gaps;
    await heartbeat.beat();
    clock.advance(MINUTE);
    await heartbeat.beat();

    expect(await delivered()).toEqual([
      [0, 5 * MINUTE - SETTLED_AFTER_MS],
      [65 * MINUTE, 66 * MINUTE - SETTLED_AFTER_MS],
    ]);
    expect(gaps).toBe(before + 1);
  });

  it("has a gap at once where deliveries turn out to have gone missing", async () => {
    await up();
    clock.advance(20 * MINUTE);
    await heartbeat.missed({ account: "100", from: 5 * MINUTE, to: 20 * MINUTE });

    expect(await ledgerOf(store).gaps(["100"])).toEqual([
      { account: "100", from: 5 * MINUTE, to: 20 * MINUTE },
    ]);
  });

  it("takes back what it noted since deliveries surely came", async () => {
    await up();
    clock.advance(60 * MINUTE);
    await heartbeat.beat();
    await heartbeat.change({ account: "100", reachable: false, since: 20 * MINUTE });
    clock.advance(10 * MINUTE);
    await heartbeat.beat();
    await up();

    expect(await delivered()).toEqual([
      [0, 20 * MINUTE],
      [70 * MINUTE, 70 * MINUTE + 1],
    ]);
    expect(await ledgerOf(store).gaps(["100"])).toEqual([
      { account: "100", from: 20 * MINUTE, to: 70 * MINUTE },
    ]);
  });

  it("goes on after the clock was set back, and forgets nothing", async () => {
    await up();
    clock.advance(60 * MINUTE);
    await heartbeat.beat();
    clock.advance(-30 * MINUTE);
    await heartbeat.beat();
    clock.advance(40 * MINUTE);
    await heartbeat.beat();

    expect(await delivered()).toEqual([[0, 70 * MINUTE - SETTLED_AFTER_MS]]);
  });
});
