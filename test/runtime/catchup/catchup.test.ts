import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sourceDuring } from "../../../src/runtime/catchup/catchup.ts";
import type { EntrySource, NewEntry } from "../../../src/runtime/store/entry.ts";
import { when } from "../../support/when.ts";
import { CatchupBench, HOUR, ID, message, MINUTE, NOON } from "./support/catchup-bench.ts";
import { refused } from "./support/refused.ts";

let bench: CatchupBench;
beforeEach(() => {
  bench = new CatchupBench();
});
afterEach(() => bench.close());

/** Reports the end of the latest replay, as the platform does by a delivery. */
async function endReplay(state: "Complete" | "Incomplete" = "Complete"): Promise<void> {
  await when(() => (bench.catchup.replaying()?.from === undefined ? undefined : true));
  await notify(state);
}

async function notify(
  state: "Complete" | "Incomplete",
  job = bench.requests.length,
): Promise<void> {
  const notice: NewEntry = {
    key: `replay:job${job}:${state}`,
    account: ID,
    lane: ID,
    kind: "replay_finished",
    at: bench.clock.now(),
    arrivedAt: bench.clock.now(),
    source: "webhook",
    body: "{}",
  };
  await bench.store.append([notice]);
  bench.catchup.onAppended([notice]);
}

const event = (minute: number, source: EntrySource): NewEntry => ({
  key: `${source}:${minute}`,
  account: ID,
  lane: `${ID}/200`,
  kind: "follow",
  at: NOON + minute * MINUTE,
  arrivedAt: bench.clock.now(),
  source,
  body: "{}",
});

describe("the time between two runs", () => {
  beforeEach(() => bench.cover(-180, -60));

  it("is read back at the start, and replayed once it is old enough", async () => {
    bench.lists.messages = [message("2", -10), message("1", -30)];
    await bench.start();
    expect(bench.readBack).toEqual(["1", "2"]);

    await bench.requested(1);
    expect(bench.requests).toEqual([[-60, -11]]);
    expect(bench.publishedTypes()).toEqual(["gap-found"]);
    await when(() => bench.catchup.replaying());
    expect(bench.catchup.status()).toEqual({
      gaps: 1,
      since: "2026-01-02T11:00:00.000Z",
      replay: {
        state: "running",
        from: "2026-01-02T11:00:00.000Z",
        to: "2026-01-02T11:49:00.000Z",
      },
    });
    bench.catchup.onAppended([event(-40, "replay"), event(-20, "replay"), event(-1, "webhook")]);
    bench.catchup.onKnown([event(-30, "replay"), event(-30, "webhook")]);
    await endReplay();
    expect(await bench.covered("replayed")).toEqual([-60, -11, "replayed"]);
    expect(bench.catchup.replays()).toMatchObject([
      { by: "gap", state: "complete", events: 2, duplicates: 1 },
    ]);

    await bench.pass(11 * MINUTE);
    await bench.requested(2);
    expect(bench.requests[1]).toEqual([-21, 0]);
    await endReplay();
    await when(() => bench.publishedTypes()[1]);
    expect(bench.published.at(-1)).toMatchObject({ type: "gap-closed", data: { events: 2 } });
    expect(bench.catchup.status().gaps).toBe(0);
  });

  it("is replayed again if the platform could not deliver all of it", async () => {
    await bench.start();
    await bench.requested(1);
    await endReplay("Incomplete");
    await when(() => (bench.catchup.status().replay?.state === "waiting" ? true : undefined));
    expect(bench.catchup.replaying()).toBeUndefined();
    expect(bench.catchup.status().replay?.reason).toBe("the platform could not deliver all of it");
    expect((await bench.coverage()).map(([, , state]) => state)).toEqual(["unproven"]);

    await bench.pass(15_000);
    await bench.requested(2);
    expect(bench.requests[1]).toEqual(bench.requests[0]);
  });

  it("continues its replay after a restart", async () => {
    await bench.start();
    await bench.requested(1);
    await when(() => bench.catchup.replaying());
    await bench.catchup.stop();
    const before = bench.requests.length;
    bench.catchup = bench.opened();
    await bench.catchup.readMissed();

    expect(bench.catchup.replaying()).toMatchObject({
      from: NOON - 60 * MINUTE,
      to: NOON - 11 * MINUTE,
    });
    expect(bench.requests).toHaveLength(before);
  });

  it("holds deliveries back until it is read, so that no message overtakes an older one", async () => {
    let isAsked = false;
    bench.lists.fails = (list) => {
      isAsked ||= list === "messages";
      return isAsked && bench.clock.now() === NOON ? "unreachable" : undefined;
    };
    const starting = bench.catchup.readMissed();
    await when(() => (isAsked ? true : undefined));
    const held = bench.catchup.gate.pass({ for_user_id: ID });
    expect(held).toBeInstanceOf(Promise);
    bench.clock.advance(1_000);
    await starting;

    await held;
    expect(bench.catchup.gate.pass({ for_user_id: ID })).toBeUndefined();
  });

  it("delays the start no longer once a rate limit delays its reading", async () => {
    bench.lists.fails = () => ({
      status: 429,
      headers: {
        "x-rate-limit-limit": "15",
        "x-rate-limit-remaining": "0",
        "x-rate-limit-reset": `${(NOON + 15 * MINUTE) / 1_000}`,
      },
    });
    await bench.catchup.readMissed();

    expect(bench.readBack).toEqual([]);
    expect(bench.catchup.gate.pass({ for_user_id: ID })).toBeUndefined();
  });

  it("delays the start for at most twenty seconds", async () => {
    const never = new Promise<void>(() => {});
    await bench.catchup.stop();
    bench.catchup = bench.opened({ onFound: () => never });
    let isStarted = false;
    const starting = bench.catchup.readMissed().then(() => (isStarted = true));
    await when(() => (bench.lists.requests.length === 2 ? true : undefined));
    await vi.advanceTimersByTimeAsync(19_999);
    expect(isStarted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await starting;
    // The reading never ends, so this catch-up cannot be stopped.
    bench.catchup = bench.opened();
  });

  it("is replayed only once it is read, so that people are answered in order", async () => {
    let onRead = (): void => {};
    const reading = new Promise<void>((resolve) => (onRead = resolve));
    await bench.catchup.stop();
    bench.catchup = bench.opened({ onFound: () => reading });
    const starting = bench.start();
    await when(() => (bench.lists.requests.length === 2 ? true : undefined));
    await vi.advanceTimersByTimeAsync(20_000);
    await starting;
    await bench.pass(MINUTE);
    await bench.pass(MINUTE);
    expect(bench.requests).toEqual([]);

    onRead();
    await bench.requested(1);
    expect(bench.requests).toEqual([[-60, -9]]);
  });

  it("is read back again when the account is linked again, if the platform refused its tokens", async () => {
    bench.lists.messages = [message("1", -30)];
    bench.lists.fails = () => ({ status: 401 });
    await bench.start();
    await bench.requested(1);
    for (let n = 0; n < 3; n++) await bench.pass(MINUTE);
    expect(bench.lists.requests.toSorted()).toEqual(["mentions", "messages"]);

    bench.lists.fails = () => undefined;
    bench.link();
    await when(() => bench.readBack[0]);
    expect(bench.readBack).toEqual(["1"]);
  });

  it("is not expected to have events if the account's owner revoked the authorization", async () => {
    await bench.catchup.stop();
    const account = { id: ID, username: "bot", revoked: "by its owner" };
    const accounts = { list: () => [account], find: () => account, subscribe: () => () => {} };
    bench.catchup = bench.opened({ accounts });
    await bench.catchup.readMissed();

    expect(bench.lists.requests).toEqual([]);
  });
});

describe("time that no replay brings back", () => {
  it("is covered for messages and mentions if they were read", async () => {
    await bench.cover(-32 * 60, -30 * 60);
    await bench.start();
    await when(() => (bench.publishedTypes().includes("gap-lost") ? true : undefined));

    expect(bench.published.find(({ type }) => type === "gap-lost")).toMatchObject({
      data: {
        from: "2026-01-01T06:00:00.000Z",
        to: "2026-01-01T12:01:00.000Z",
        state: "backfilled",
        reason: "over 24 hours old: the platform replays it no longer",
      },
    });
    expect(await bench.covered("backfilled")).toEqual([-30 * 60, -24 * 60 + 1, "backfilled"]);
    await bench.requested(1);
    expect(bench.requests).toEqual([[-24 * 60 + 1, -22 * 60 + 1]]);
  });

  it("is lost if the messages can't be read, with both reasons", async () => {
    bench.lists.fails = (list) => (list === "messages" ? { status: 403 } : undefined);
    await bench.cover(-32 * 60, -30 * 60);
    await bench.start();
    await when(() => (bench.publishedTypes().includes("gap-lost") ? true : undefined));

    expect(bench.published.find(({ type }) => type === "gap-lost")).toMatchObject({
      data: {
        state: "lost",
        reason: expect.stringMatching(/^over 24 hours old.*; messages can't be read: .*refused/),
      },
    });
  });

  it("is all missed time if the transport has no replays", async () => {
    await bench.catchup.stop();
    bench.catchup = bench.opened({ noReplay: "polling has no replays" });
    await bench.cover(-180, -60);
    await bench.start();

    expect(await bench.covered("backfilled")).toEqual([-60, 0, "backfilled"]);
    expect(bench.published.at(-1)).toMatchObject({
      data: { reason: "the platform does not replay for this app: polling has no replays" },
    });
    expect(bench.catchup.replay({ from: -HOUR, to: -30 * MINUTE })).toMatchObject({
      accepted: false,
    });
    expect(bench.catchup.status()).toEqual({ gaps: 0, noReplay: "polling has no replays" });
    await bench.pass(10 * MINUTE);
    expect(bench.requests).toEqual([]);
  });

  it("is all missed time for a day after the platform refused a replay", async () => {
    bench.answerReplay = () => {
      throw refused(403);
    };
    await bench.cover(-180, -60);
    await bench.start();

    expect(await bench.covered("backfilled")).toEqual([-60, 0, "backfilled"]);
    // The documented path, then the newer one.
    expect(bench.requests).toHaveLength(2);
    expect(bench.catchup.status()).toMatchObject({
      gaps: 0,
      noReplay: expect.stringContaining("refused"),
    });
    expect(bench.catchup.replays()).toMatchObject([{ by: "gap", state: "refused" }]);

    await bench.pass(3 * HOUR);
    expect(bench.requests).toHaveLength(2);
    bench.answerReplay = () => {};
    await bench.pass(21 * HOUR);
    await bench.requested(3);
  });

  it("is time before the subscription, even if a replay covers it", async () => {
    bench.subscribedSince = NOON - 40 * MINUTE;
    await bench.cover(-180, -60);
    await bench.start();
    await bench.requested(1);
    await endReplay();
    await when(() => (bench.publishedTypes().includes("gap-lost") ? true : undefined));

    expect(await bench.coverage()).toEqual([
      [-180, -60, "unproven"],
      [-60, -40, "backfilled"],
      [-40, -11, "replayed"],
    ]);
    expect(bench.published.at(-1)).toMatchObject({
      type: "gap-lost",
      data: { reason: expect.stringContaining("the subscription was made later") },
    });
  });
});

describe("a replay for proof", () => {
  beforeEach(async () => {
    await bench.cover(-180, 0);
    await bench.start();
    await bench.reachable();
    await bench.pass(5 * MINUTE);
    await bench.requested(1);
  });

  it("proves the deliveries of its time if it brings nothing new", async () => {
    expect(bench.requests).toEqual([[-180, -60]]);
    await when(() => bench.catchup.replaying());
    bench.catchup.replayedElsewhere(new Map([[ID, 0]]), 3);
    await endReplay();

    expect(await bench.covered("delivered")).toEqual([-180, -60, "delivered"]);
    expect(bench.catchup.replays()).toMatchObject([{ by: "check", events: 0, duplicates: 3 }]);
  });

  it("proves nothing about the deliveries if it brings an event of this process", async () => {
    await when(() => bench.catchup.replaying());
    bench.catchup.onAppended([event(-100, "replay")]);
    await endReplay();

    expect(await bench.covered("replayed")).toEqual([-180, -60, "replayed"]);
  });

  it("proves nothing about the deliveries if it brings an event of another process", async () => {
    await when(() => bench.catchup.replaying());
    bench.catchup.replayedElsewhere(new Map([[ID, 2]]), 0);
    await endReplay();

    expect(await bench.covered("replayed")).toEqual([-180, -60, "replayed"]);
    expect(bench.catchup.replays()).toMatchObject([{ events: 2, duplicates: 0 }]);
  });

  it("is dropped when the clock is set back into its time", async () => {
    await when(() => bench.catchup.replaying());
    await bench.pass(-2 * HOUR);
    await when(() => (bench.catchup.replaying()?.from === NOON - 180 * MINUTE ? undefined : true));
    await notify("Complete", 1);
    await bench.pass(MINUTE);
    await bench.pass(MINUTE);

    expect(bench.requests).toHaveLength(1);
    expect(bench.catchup.replays()).toEqual([]);
    expect((await bench.coverage()).every(([, , state]) => state === "unproven")).toBe(true);
  });

  it("proves nothing for an account that was unlinked meanwhile", async () => {
    await when(() => bench.catchup.replaying());
    bench.unlink();
    await bench.covered("lost");
    await endReplay();
    await when(
      () => bench.catchup.replays().some(({ state }) => state === "complete") || undefined,
    );

    expect((await bench.coverage()).map(([, , state]) => state)).toEqual(["unproven", "lost"]);
  });
});

describe("a replay that an operator requests", () => {
  it("may be relative to the present, and takes precedence over missed time", async () => {
    await bench.cover(-600, -300);
    expect(bench.catchup.replay({ from: -HOUR, to: -30 * MINUTE })).toEqual({
      accepted: true,
      ids: [1],
    });
    expect(bench.catchup.replay({ from: NOON - 90 * MINUTE, to: NOON - HOUR })).toEqual({
      accepted: true,
      ids: [2],
    });
    expect(bench.catchup.replays()).toMatchObject([{ state: "queued" }, { state: "queued" }]);
    await bench.start();
    await bench.requested(1);
    await endReplay();
    await bench.requested(2);

    expect(bench.requests).toEqual([
      [-60, -30],
      [-90, -60],
    ]);
    expect(bench.catchup.replays()).toMatchObject([
      { id: 1, by: "hand", state: "complete" },
      { id: 2, by: "hand", state: "running" },
    ]);
  });
});

describe("a replay of the last minutes", () => {
  it("proves coverage that was not written yet when it ended", async () => {
    await bench.start();
    await bench.reachable();
    await bench.pass(20 * MINUTE);
    bench.clock.advance(20 * MINUTE);
    bench.catchup.replay({ from: NOON, to: NOON + 30 * MINUTE });
    await bench.requested(1);
    await endReplay();

    expect(await bench.covered("delivered")).toEqual([0, 30, "delivered"]);
  });
});

describe("events that were read back", () => {
  const missed = (key: string): NewEntry => ({
    ...event(0, "backfill"),
    key,
    kind: "message",
    at: bench.clock.now(),
  });
  /** Moves the real time by the pause before the first further reading. */
  async function pause(): Promise<void> {
    bench.real += 1_000;
    await vi.advanceTimersByTimeAsync(1_000);
  }

  it("are looked for no longer once they are delivered", async () => {
    await bench.start();
    await bench.reachable();
    const before = bench.lists.requests.length;
    bench.catchup.onAppended([missed("a")]);
    bench.catchup.onKnown([{ ...missed("a"), source: "webhook" }]);
    await pause();
    expect(bench.lists.requests).toHaveLength(before);

    bench.catchup.onAppended([missed("b")]);
    await pause();
    await when(() => (bench.lists.requests.length > before ? true : undefined));
  });
});

describe("the coverage to show", () => {
  /** Reads the coverage. Right after the stored spans were read, deliveries start or stop arriving. */
  async function shownDuring(change: () => void): Promise<readonly (string | undefined)[]> {
    const read = bench.store.coverage.bind(bench.store);
    const interrupted = vi.spyOn(bench.store, "coverage").mockImplementationOnce(async (query) => {
      const spans = await read(query);
      change();
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      return spans;
    });
    const { accounts } = await bench.catchup.coverage({ hours: 4 });
    interrupted.mockRestore();
    return accounts[0]?.spans.map(({ state }) => state) ?? [];
  }

  it("has the gap if deliveries start arriving while it is read", async () => {
    await bench.cover(-180, -60);
    await bench.catchup.readMissed();
    bench.follow();

    expect(await shownDuring(() => bench.up())).toEqual([
      "none",
      "unproven",
      "missing",
      "too-recent",
    ]);
    await bench.reachable();
  });

  it("is that of before if deliveries stop arriving while it is read", async () => {
    await bench.start();
    await bench.reachable();
    await bench.pass(10 * MINUTE);

    const before = await shownDuring(() => {});
    expect(before.at(-1)).toBe("unproven");
    expect(await shownDuring(() => bench.down(NOON + MINUTE))).toEqual(before);
    await bench.reachable(false);
    expect((await shownDuring(() => {})).at(-1)).toBe("too-recent");
  });
});

describe("an account that is subscribed for the first time", () => {
  it("has the messages read that came since the start, and those of its first seconds", async () => {
    bench.lists.messages = [message("2", 0.5), message("1", -1)];
    await bench.catchup.readMissed();
    bench.follow();
    bench.clock.advance(MINUTE);
    bench.up(bench.clock.now() + 10_000);
    await when(() => (bench.readBack.length > 0 ? true : undefined));
    expect(bench.readBack).toEqual(["2"]);

    bench.lists.messages = [message("4", 1.2), message("3", 1.1), ...bench.lists.messages];
    await bench.pass(10_000);
    await when(() => (bench.readBack.length > 1 ? true : undefined));
    expect(bench.readBack).toEqual(["2", "3"]);
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
    await bench.cover(-180, -60);
    await bench.start();
    expect(bench.catchup.sourceOf("webhook", NOON - 30 * MINUTE)).toBe("webhook");
    await bench.requested(1);
    await when(() => bench.catchup.replaying());
    expect(bench.catchup.sourceOf("webhook", NOON - 30 * MINUTE)).toBe("replay");
    expect(bench.catchup.sourceOf("webhook", NOON - 5 * MINUTE)).toBe("webhook");
  });
});
