import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PlatformError } from "../../../src/client/errors.ts";
import type { ReplayWindow } from "../../../src/client/client.ts";
import { Catchup, sourceDuring } from "../../../src/runtime/catchup/catchup.ts";
import type {
  CatchupAccountChange,
  CatchupNeeds,
} from "../../../src/runtime/catchup/catchup-parts.ts";
import type { DeliveryChange, RaisedDoubt } from "../../../src/runtime/catchup/delivery-watch.ts";
import { BEAT_EVERY_MS } from "../../../src/runtime/catchup/heartbeat.ts";
import { openLog } from "../../../src/runtime/log.ts";
import type { NewRuntimeEvent } from "../../../src/runtime/runtime-events.ts";
import type { CoverageState } from "../../../src/runtime/store/coverage.ts";
import type { EntrySource, NewEntry } from "../../../src/runtime/store/entry.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import { openMemoryStore } from "../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";
import { type Lists, openLists } from "./support/lists.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A full minute, since replays are requested in full minutes. */
const NOON = Date.UTC(2026, 0, 2, 12);
const ID = "100";

let store: Store;
let clock: HandClock;
let lists: Lists;
let catchup: Catchup;
let real: number;
let published: NewRuntimeEvent[];
/** Ids of the messages and mentions that were read back. */
let readBack: string[];
let raised: RaisedDoubt[];
let doubted: readonly string[];
let refusedDeliveries: readonly string[];
let subscribedSince: number | undefined;
/** Windows of the requested replays, in minutes after noon. */
let requests: number[][];
let answerReplay: () => void;
/** Lines of the log. A step of the loops that throws is only logged. */
let errors: string[];
let report: (change: DeliveryChange) => void;
let changeAccount: (change: CatchupAccountChange) => void;
let isLinked: boolean;

beforeEach(() => {
  // Loops run only when the test wakes them or moves these timers.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  store = openMemoryStore();
  clock = handClock(NOON);
  lists = openLists();
  real = 0;
  published = [];
  readBack = [];
  raised = [];
  doubted = [];
  refusedDeliveries = [];
  subscribedSince = NOON - 240 * HOUR;
  requests = [];
  answerReplay = () => {};
  errors = [];
  isLinked = true;
  catchup = opened();
});
afterEach(async () => {
  await catchup.stop();
  await store.close();
  vi.useRealTimers();
  if (errors.length > 0) throw new Error(errors.join(""));
});

function opened(over: Partial<CatchupNeeds> = {}): Catchup {
  const account = { id: ID, username: "bot" };
  const start = async ({ from, to }: ReplayWindow) => {
    requests.push([from, to].map((at) => minutes(Number(at))));
    answerReplay();
    return { job_id: `job${requests.length}`, created_at: "" };
  };
  return new Catchup({
    store,
    clock,
    monotonic: () => real,
    log: openLog({ level: "error", destination: { write: (line) => void errors.push(line) } }),
    publish: (event) => published.push(event),
    accounts: {
      list: () => [account],
      find: () => (isLinked ? account : undefined),
      subscribe(listener) {
        changeAccount = listener;
        return () => {};
      },
    },
    app: { replay: { start, startJob: start } },
    clientOf: () => lists.client,
    webhookId: () => "hook",
    subscribedSince: () => subscribedSince,
    doubts: {
      raise: (doubt) => raised.push(doubt),
      doubted: () => doubted,
      async takeRefused() {
        const accounts = refusedDeliveries;
        refusedDeliveries = [];
        return accounts;
      },
      lastProof: () => NOON - 5 * MINUTE,
    },
    append: async (_delivery, raw) => {
      readBack.push(/"id(?:_str)?":"(\w+)"/u.exec(raw)?.[1] ?? raw);
      return 1;
    },
    onFound: async () => {},
    ...over,
  });
}

const minutes = (at: number) => (at - NOON) / MINUTE;

/** Records coverage between two minutes after noon. */
const cover = (from: number, to: number, state: CoverageState = "unproven") =>
  store.cover([{ account: ID, from: NOON + from * MINUTE, to: NOON + to * MINUTE, state }]);

/** Returns the coverage in minutes after noon, without spans under a second. */
const coverage = async () =>
  (await store.coverage())
    .filter(({ from, to }) => to - from > 1_000)
    .map(({ from, to, state }) => [minutes(from), minutes(to), state]);

const typesOf = () => published.map(({ type }) => type);

/** Reports that deliveries arrive, or that they arrive no longer. */
const up = (since = clock.now()) => report({ account: ID, reachable: true, since });
const down = (since: number) =>
  report({ account: ID, reachable: false, since, reason: "the webhook is gone" });

/** Unlinks the account, as an operator does. */
function unlink(): void {
  isLinked = false;
  changeAccount({ type: "removed", account: { id: ID, username: "bot" } });
}

/** Starts the catch-up as the runtime does. */
async function start(): Promise<void> {
  await catchup.readMissed();
  catchup.follow({
    onReachable(listener) {
      report = listener;
      return () => {};
    },
  });
  up();
}

/** Moves the platform's clock, then lets the loops run. */
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  real += BEAT_EVERY_MS;
  await vi.advanceTimersByTimeAsync(BEAT_EVERY_MS);
}

const requested = (times: number) => when(() => (requests.length >= times ? true : undefined));

/** Reports the end of the latest replay, as the platform does by a delivery. */
async function endReplay(state: "Complete" | "Incomplete" = "Complete"): Promise<void> {
  await when(() => (catchup.replaying()?.from === undefined ? undefined : true));
  await notify(state);
}

async function notify(state: "Complete" | "Incomplete", job = requests.length): Promise<void> {
  const notice: NewEntry = {
    key: `replay:job${job}:${state}`,
    account: ID,
    lane: ID,
    kind: "replay_finished",
    at: clock.now(),
    arrivedAt: clock.now(),
    source: "webhook",
    body: "{}",
  };
  await store.append([notice]);
  catchup.onAppended([notice]);
}

const event = (minute: number, source: EntrySource): NewEntry => ({
  key: `${source}:${minute}`,
  account: ID,
  lane: `${ID}/200`,
  kind: "follow",
  at: NOON + minute * MINUTE,
  arrivedAt: clock.now(),
  source,
  body: "{}",
});

const message = (id: string, minute: number) => ({ id, at: NOON + minute * MINUTE });

/** Waits until the coverage has a span in this state. */
const covered = (state: CoverageState) =>
  when(async () => (await coverage()).find((span) => span[2] === state));

describe("the time between two runs", () => {
  beforeEach(() => cover(-180, -60));

  it("is read back at the start, and replayed once it is old enough", async () => {
    lists.messages = [message("2", -10), message("1", -30)];
    await start();
    expect(readBack).toEqual(["1", "2"]);

    await requested(1);
    expect(requests).toEqual([[-60, -11]]);
    expect(typesOf()).toEqual(["gap-found"]);
    await when(() => catchup.replaying());
    expect(catchup.status()).toEqual({
      gaps: 1,
      since: "2026-01-02T11:00:00.000Z",
      replay: {
        state: "running",
        from: "2026-01-02T11:00:00.000Z",
        to: "2026-01-02T11:49:00.000Z",
      },
    });
    catchup.onAppended([event(-40, "replay"), event(-20, "replay"), event(-1, "webhook")]);
    catchup.onKnown([event(-30, "replay"), event(-30, "webhook")]);
    await endReplay();
    expect(await covered("replayed")).toEqual([-60, -11, "replayed"]);
    expect(catchup.replays()).toMatchObject([
      { by: "gap", state: "complete", events: 2, duplicates: 1 },
    ]);

    await pass(11 * MINUTE);
    await requested(2);
    expect(requests[1]).toEqual([-21, 0]);
    await endReplay();
    await when(() => typesOf()[1]);
    expect(published.at(-1)).toMatchObject({ type: "gap-closed", data: { events: 2 } });
    expect(catchup.status().gaps).toBe(0);
  });

  it("is replayed again if the platform could not deliver all of it", async () => {
    await start();
    await requested(1);
    await endReplay("Incomplete");
    await when(() => (catchup.status().replay?.state === "waiting" ? true : undefined));
    expect(catchup.replaying()).toBeUndefined();
    expect(catchup.status().replay?.reason).toBe("the platform could not deliver all of it");
    expect((await coverage()).map(([, , state]) => state)).toEqual(["unproven"]);

    await pass(15_000);
    await requested(2);
    expect(requests[1]).toEqual(requests[0]);
  });

  it("continues its replay after a restart", async () => {
    await start();
    await requested(1);
    await when(() => catchup.replaying());
    await catchup.stop();
    const before = requests.length;
    catchup = opened();
    await catchup.readMissed();

    expect(catchup.replaying()).toMatchObject({
      from: NOON - 60 * MINUTE,
      to: NOON - 11 * MINUTE,
    });
    expect(requests).toHaveLength(before);
  });

  it("holds deliveries back until it is read, so that no message overtakes an older one", async () => {
    let isAsked = false;
    lists.fails = (list) => {
      isAsked ||= list === "messages";
      return isAsked && clock.now() === NOON ? "unreachable" : undefined;
    };
    const starting = catchup.readMissed();
    await when(() => (isAsked ? true : undefined));
    const held = catchup.gate.pass({ for_user_id: ID });
    expect(held).toBeInstanceOf(Promise);
    clock.advance(1_000);
    await starting;

    await held;
    expect(catchup.gate.pass({ for_user_id: ID })).toBeUndefined();
  });

  it("delays the start no longer once a rate limit delays its reading", async () => {
    lists.fails = () => ({
      status: 429,
      headers: {
        "x-rate-limit-limit": "15",
        "x-rate-limit-remaining": "0",
        "x-rate-limit-reset": `${(NOON + 15 * MINUTE) / 1_000}`,
      },
    });
    await catchup.readMissed();

    expect(readBack).toEqual([]);
    expect(catchup.gate.pass({ for_user_id: ID })).toBeUndefined();
  });

  it("delays the start for at most twenty seconds", async () => {
    const never = new Promise<void>(() => {});
    await catchup.stop();
    catchup = opened({ onFound: () => never });
    let isStarted = false;
    const starting = catchup.readMissed().then(() => (isStarted = true));
    await when(() => (lists.requests.length === 2 ? true : undefined));
    await vi.advanceTimersByTimeAsync(19_999);
    expect(isStarted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await starting;
    // The reading never ends, so this catch-up cannot be stopped.
    catchup = opened();
  });

  it("is replayed only once it is read, so that people are answered in order", async () => {
    let onRead = (): void => {};
    const reading = new Promise<void>((resolve) => (onRead = resolve));
    await catchup.stop();
    catchup = opened({ onFound: () => reading });
    const starting = start();
    await when(() => (lists.requests.length === 2 ? true : undefined));
    await vi.advanceTimersByTimeAsync(20_000);
    await starting;
    await pass(MINUTE);
    await pass(MINUTE);
    expect(requests).toEqual([]);

    onRead();
    await requested(1);
    expect(requests).toEqual([[-60, -9]]);
  });

  it("is not expected to have events if the account's owner revoked the authorization", async () => {
    await catchup.stop();
    const account = { id: ID, username: "bot", revoked: "by its owner" };
    const accounts = { list: () => [account], find: () => account, subscribe: () => () => {} };
    catchup = opened({ accounts });
    await catchup.readMissed();

    expect(lists.requests).toEqual([]);
  });
});

describe("time that no replay brings back", () => {
  it("is covered for messages and mentions if they were read", async () => {
    await cover(-32 * 60, -30 * 60);
    await start();
    await when(() => (typesOf().includes("gap-lost") ? true : undefined));

    expect(published.find(({ type }) => type === "gap-lost")).toMatchObject({
      data: {
        from: "2026-01-01T06:00:00.000Z",
        to: "2026-01-01T12:01:00.000Z",
        state: "backfilled",
        reason: "over 24 hours old: the platform replays it no longer",
      },
    });
    expect(await covered("backfilled")).toEqual([-30 * 60, -24 * 60 + 1, "backfilled"]);
    await requested(1);
    expect(requests).toEqual([[-24 * 60 + 1, -22 * 60 + 1]]);
  });

  it("is lost if the messages can't be read, with both reasons", async () => {
    lists.fails = (list) => (list === "messages" ? { status: 403 } : undefined);
    await cover(-32 * 60, -30 * 60);
    await start();
    await when(() => (typesOf().includes("gap-lost") ? true : undefined));

    expect(published.find(({ type }) => type === "gap-lost")).toMatchObject({
      data: {
        state: "lost",
        reason: expect.stringMatching(/^over 24 hours old.*; messages can't be read: .*refused/),
      },
    });
  });

  it("is all missed time if the transport has no replays", async () => {
    await catchup.stop();
    catchup = opened({ noReplay: "polling has no replays" });
    await cover(-180, -60);
    await start();

    expect(await covered("backfilled")).toEqual([-60, 0, "backfilled"]);
    expect(published.at(-1)).toMatchObject({
      data: { reason: "the platform does not replay for this app: polling has no replays" },
    });
    expect(catchup.replay({ from: -HOUR, to: -30 * MINUTE })).toMatchObject({ accepted: false });
    expect(catchup.status()).toEqual({ gaps: 0, noReplay: "polling has no replays" });
    await pass(10 * MINUTE);
    expect(requests).toEqual([]);
  });

  it("is all missed time for a day after the platform refused a replay", async () => {
    answerReplay = () => {
      throw refused(403);
    };
    await cover(-180, -60);
    await start();

    expect(await covered("backfilled")).toEqual([-60, 0, "backfilled"]);
    // The documented path, then the newer one.
    expect(requests).toHaveLength(2);
    expect(catchup.status()).toMatchObject({
      gaps: 0,
      noReplay: expect.stringContaining("no plan"),
    });
    expect(catchup.replays()).toMatchObject([{ by: "gap", state: "refused" }]);

    await pass(3 * HOUR);
    expect(requests).toHaveLength(2);
    answerReplay = () => {};
    await pass(21 * HOUR);
    await requested(3);
  });

  it("is time before the subscription, even if a replay covers it", async () => {
    subscribedSince = NOON - 40 * MINUTE;
    await cover(-180, -60);
    await start();
    await requested(1);
    await endReplay();
    await when(() => (typesOf().includes("gap-lost") ? true : undefined));

    expect(await coverage()).toEqual([
      [-180, -60, "unproven"],
      [-60, -40, "backfilled"],
      [-40, -11, "replayed"],
    ]);
    expect(published.at(-1)).toMatchObject({
      type: "gap-lost",
      data: { reason: expect.stringContaining("the subscription was made later") },
    });
  });
});

/** Creates a refusal of a replay request. */
function refused(status: number, reason?: string): PlatformError {
  return new PlatformError(
    "no plan",
    {
      status,
      reason,
      endpoint: "",
      title: undefined,
      detail: undefined,
      type: undefined,
      v1Code: undefined,
      adsCode: undefined,
      problems: [],
      limits: undefined,
      retryAfterMs: undefined,
      accessLevel: undefined,
      transactionId: undefined,
      afterUnknown: false,
    },
    { safe: false },
  );
}

describe("a replay for proof", () => {
  beforeEach(async () => {
    await cover(-180, 0);
    await start();
    await when(() => (catchup.reachable().length === 1 ? true : undefined));
    await pass(5 * MINUTE);
    await requested(1);
  });

  it("proves the deliveries of its time if it brings nothing new", async () => {
    expect(requests).toEqual([[-180, -60]]);
    await when(() => catchup.replaying());
    catchup.replayedElsewhere(new Map([[ID, 0]]), 3);
    await endReplay();

    expect(await covered("delivered")).toEqual([-180, -60, "delivered"]);
    expect(catchup.replays()).toMatchObject([{ by: "check", events: 0, duplicates: 3 }]);
  });

  it("proves nothing about the deliveries if it brings an event of this process", async () => {
    await when(() => catchup.replaying());
    catchup.onAppended([event(-100, "replay")]);
    await endReplay();

    expect(await covered("replayed")).toEqual([-180, -60, "replayed"]);
  });

  it("proves nothing about the deliveries if it brings an event of another process", async () => {
    await when(() => catchup.replaying());
    catchup.replayedElsewhere(new Map([[ID, 2]]), 0);
    await endReplay();

    expect(await covered("replayed")).toEqual([-180, -60, "replayed"]);
    expect(catchup.replays()).toMatchObject([{ events: 2, duplicates: 0 }]);
  });

  it("is dropped when the clock is set back into its time", async () => {
    await when(() => catchup.replaying());
    await pass(-2 * HOUR);
    await when(() => (catchup.replaying()?.from === NOON - 180 * MINUTE ? undefined : true));
    await notify("Complete", 1);
    await pass(MINUTE);
    await pass(MINUTE);

    expect(requests).toHaveLength(1);
    expect(catchup.replays()).toEqual([]);
    expect((await coverage()).every(([, , state]) => state === "unproven")).toBe(true);
  });

  it("proves nothing for an account that was unlinked meanwhile", async () => {
    await when(() => catchup.replaying());
    unlink();
    await covered("lost");
    await endReplay();
    await when(() => catchup.replays().some(({ state }) => state === "complete") || undefined);

    expect((await coverage()).map(([, , state]) => state)).toEqual(["unproven", "lost"]);
  });
});

describe("a replay that an operator requests", () => {
  it("may be relative to the present, and takes precedence over missed time", async () => {
    await cover(-600, -300);
    expect(catchup.replay({ from: -HOUR, to: -30 * MINUTE })).toEqual({ accepted: true, ids: [1] });
    expect(catchup.replay({ from: NOON - 90 * MINUTE, to: NOON - HOUR })).toEqual({
      accepted: true,
      ids: [2],
    });
    expect(catchup.replays()).toMatchObject([{ state: "queued" }, { state: "queued" }]);
    await start();
    await requested(1);
    await endReplay();
    await requested(2);

    expect(requests).toEqual([
      [-60, -30],
      [-90, -60],
    ]);
    expect(catchup.replays()).toMatchObject([
      { id: 1, by: "hand", state: "complete" },
      { id: 2, by: "hand", state: "running" },
    ]);
  });
});

describe("a replay of the last minutes", () => {
  it("proves coverage that was not written yet when it ended", async () => {
    await start();
    await when(() => (catchup.reachable().length === 1 ? true : undefined));
    await pass(20 * MINUTE);
    clock.advance(20 * MINUTE);
    catchup.replay({ from: NOON, to: NOON + 30 * MINUTE });
    await requested(1);
    await endReplay();

    expect(await covered("delivered")).toEqual([0, 30, "delivered"]);
  });
});

describe("events that were read back", () => {
  const missed = (key: string): NewEntry => ({
    ...event(0, "backfill"),
    key,
    kind: "message",
    at: clock.now(),
  });
  /** Moves the real time by the pause before the first further reading. */
  async function pause(): Promise<void> {
    real += 1_000;
    await vi.advanceTimersByTimeAsync(1_000);
  }

  it("are looked for no longer once they are delivered", async () => {
    await start();
    await when(() => (catchup.reachable().length === 1 ? true : undefined));
    const before = lists.requests.length;
    catchup.onAppended([missed("a")]);
    catchup.onKnown([{ ...missed("a"), source: "webhook" }]);
    await pause();
    expect(lists.requests).toHaveLength(before);

    catchup.onAppended([missed("b")]);
    await pause();
    await when(() => (lists.requests.length > before ? true : undefined));
  });
});

describe("deliveries that stop arriving", () => {
  it("begin a gap at the last sure arrival, which is read back when they arrive again", async () => {
    await start();
    await pass(30 * MINUTE);
    lists.messages = [message("1", 25)];
    down(NOON + 20 * MINUTE);
    await when(() => (catchup.reachable().length === 0 ? true : undefined));
    await pass(10 * MINUTE);
    expect(readBack).toEqual([]);
    const held = catchup.gate.pass({ for_user_id: ID });
    expect(held).toBeInstanceOf(Promise);
    await held;
    expect(readBack).toEqual(["1"]);

    up();
    await when(() => (catchup.reachable().length === 1 ? true : undefined));
    await pass(15 * MINUTE);
    await requested(1);
    expect(requests).toEqual([[20, 40]]);
  });

  it("hold a delivery back until they are read, even if it comes just as they arrive again", async () => {
    let onRead = (): void => {};
    const reading = new Promise<void>((resolve) => (onRead = resolve));
    await catchup.stop();
    catchup = opened({ onFound: () => reading });
    await start();
    await pass(30 * MINUTE);
    lists.messages = [message("1", 25)];
    down(NOON + 20 * MINUTE);
    await when(() => (catchup.reachable().length === 0 ? true : undefined));
    await pass(10 * MINUTE);
    const gaps = store.coverageGaps.bind(store);
    vi.spyOn(store, "coverageGaps").mockImplementationOnce(async (query) => {
      const stored = await gaps(query);
      up();
      // ends as soon as their arrival is noted, before the loop begins to read
      for (let turn = 0; turn < 500 && catchup.reachable().length === 0; turn++) {
        await Promise.resolve();
      }
      return stored;
    });

    expect(catchup.gate.pass({ for_user_id: ID })).toBeInstanceOf(Promise);
    // each turn brings a further delivery
    const passed: unknown[] = [];
    for (let turn = 0; turn < 50; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      passed.push(catchup.gate.pass({ for_user_id: ID }));
    }
    const before = [...readBack];
    onRead();
    expect(passed).not.toContain(undefined);
    expect(before).toEqual([]);
    await when(() => (catchup.gate.pass({ for_user_id: ID }) === undefined ? true : undefined));
    expect(readBack).toContain("1");
  });

  it("without a reason found are reported as a gap", async () => {
    await start();
    await pass(30 * MINUTE);
    doubted = [ID];
    down(NOON + 20 * MINUTE);
    await when(() => (typesOf().includes("gap-found") ? true : undefined));

    expect(published).toMatchObject([
      { type: "gap-found", data: { from: "2026-01-02T12:20:00.000Z" } },
    ]);
  });

  it("because this process refused them are read back without waiting for the platform", async () => {
    await start();
    await pass(5 * MINUTE);
    lists.messages = [message("1", 3)];
    down(NOON + 2 * MINUTE);
    await when(() => (catchup.reachable().length === 0 ? true : undefined));
    refusedDeliveries = [ID];
    await pass(MINUTE);
    await when(() => (readBack.length > 0 ? true : undefined));

    expect(readBack).toEqual(["1"]);
  });

  it("because this process refused them are read back even if their end is not stored yet", async () => {
    await start();
    await pass(5 * MINUTE);
    lists.messages = [message("1", 3)];
    let onWrite: () => void = () => {};
    const write = store.cover.bind(store);
    vi.spyOn(store, "cover").mockImplementationOnce(async (changes) => {
      await new Promise<void>((resolve) => (onWrite = resolve));
      await write(changes);
    });
    down(NOON + 2 * MINUTE);
    refusedDeliveries = [ID];
    await pass(MINUTE);
    expect(refusedDeliveries).toEqual([]);
    expect(readBack).toEqual([]);

    onWrite();
    await when(() => (readBack.length > 0 ? true : undefined));
    expect(readBack).toEqual(["1"]);
    expect(catchup.reachable()).toEqual([]);
  });

  it("are in doubt if the platform refuses a replay because it can't reach the webhook", async () => {
    answerReplay = () => {
      throw refused(400, "CrcValidationFailed");
    };
    await cover(-180, -60);
    await start();
    await when(() => (raised.length > 0 ? true : undefined));

    expect(raised).toEqual([
      { accounts: [ID], since: NOON - 5 * MINUTE, reason: expect.stringContaining("no plan") },
    ]);
  });

  it("are in doubt if a message can be read that was not delivered", async () => {
    await start();
    await pass(20 * MINUTE);
    await when(() => (catchup.reachable().length === 1 ? true : undefined));
    lists.messages = [message("1", 22)];
    await pass(20 * MINUTE);
    await when(() => (raised.length > 0 ? true : undefined));

    expect(raised).toMatchObject([{ accounts: [ID], reason: "deliveries were missed" }]);
    expect(readBack).toEqual(["1"]);
  });
});

describe("the coverage to show", () => {
  /** Reads the coverage. Right after the stored spans were read, deliveries start or stop arriving. */
  async function shownDuring(change: () => void): Promise<readonly (string | undefined)[]> {
    const read = store.coverage.bind(store);
    const interrupted = vi.spyOn(store, "coverage").mockImplementationOnce(async (query) => {
      const spans = await read(query);
      change();
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      return spans;
    });
    const { accounts } = await catchup.coverage({ hours: 4 });
    interrupted.mockRestore();
    return accounts[0]?.spans.map(({ state }) => state) ?? [];
  }

  it("has the gap if deliveries start arriving while it is read", async () => {
    await cover(-180, -60);
    await catchup.readMissed();
    catchup.follow({
      onReachable(listener) {
        report = listener;
        return () => {};
      },
    });

    expect(await shownDuring(() => up())).toEqual(["none", "unproven", "missing", "too-recent"]);
    await when(() => (catchup.reachable().length === 1 ? true : undefined));
  });

  it("is that of before if deliveries stop arriving while it is read", async () => {
    await start();
    await when(() => (catchup.reachable().length === 1 ? true : undefined));
    await pass(10 * MINUTE);

    const before = await shownDuring(() => {});
    expect(before.at(-1)).toBe("unproven");
    expect(await shownDuring(() => down(NOON + MINUTE))).toEqual(before);
    await when(() => (catchup.reachable().length === 0 ? true : undefined));
    expect((await shownDuring(() => {})).at(-1)).toBe("too-recent");
  });
});

describe("an account that is subscribed for the first time", () => {
  it("has the messages read that came since the start, and those of its first seconds", async () => {
    lists.messages = [message("2", 0.5), message("1", -1)];
    await catchup.readMissed();
    catchup.follow({
      onReachable(listener) {
        report = listener;
        return () => {};
      },
    });
    clock.advance(MINUTE);
    up(clock.now() + 10_000);
    await when(() => (readBack.length > 0 ? true : undefined));
    expect(readBack).toEqual(["2"]);

    lists.messages = [message("4", 1.2), message("3", 1.1), ...lists.messages];
    await pass(10_000);
    await when(() => (readBack.length > 1 ? true : undefined));
    expect(readBack).toEqual(["2", "3"]);
  });
});

describe("the source of an event during a replay", () => {
  const replay = { from: 10, to: 20 };

  it.each([
    { at: 9, source: "webhook" },
    { at: 10, source: "replay" },
    { at: 19, source: "replay" },
    { at: 20, source: "webhook" },
  ] as const)("at $at is $source", ({ at, source }) => {
    expect(sourceDuring(replay, "webhook", at)).toBe(source);
    expect(sourceDuring(replay, "backfill", at)).toBe("backfill");
    expect(sourceDuring(undefined, "webhook", at)).toBe("webhook");
  });

  it("is the replay only while the platform delivers it", async () => {
    await cover(-180, -60);
    await start();
    expect(catchup.sourceOf("webhook", NOON - 30 * MINUTE)).toBe("webhook");
    await requested(1);
    await when(() => catchup.replaying());
    expect(catchup.sourceOf("webhook", NOON - 30 * MINUTE)).toBe("replay");
    expect(catchup.sourceOf("webhook", NOON - 5 * MINUTE)).toBe("webhook");
  });
});

describe("an account that is unlinked while the store fails", () => {
  let isFull: boolean;
  beforeEach(async () => {
    isFull = false;
    await cover(-180, -60);
    const coverNow = store.cover.bind(store);
    vi.spyOn(store, "cover").mockImplementation(async (changes) => {
      if (isFull) throw new StoreError("store-full", "the disk is full");
      await coverNow(changes);
    });
  });

  it("is no longer expected to have events once the store works", async () => {
    isFull = true;
    unlink();
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await coverage()).map(([, , state]) => state)).toEqual(["unproven"]);
    isFull = false;
    await vi.advanceTimersByTimeAsync(1_000);

    expect((await coverage()).map(([, , state]) => state)).toEqual(["unproven", "lost"]);
  });

  it("is expected to have events if it was linked again meanwhile", async () => {
    isFull = true;
    unlink();
    await vi.advanceTimersByTimeAsync(3_000);
    isLinked = true;
    isFull = false;
    await vi.advanceTimersByTimeAsync(1_000);

    expect((await coverage()).map(([, , state]) => state)).toEqual(["unproven"]);
  });
});
