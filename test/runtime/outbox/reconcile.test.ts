import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Action } from "../../../src/actions/actions.ts";
import { UsageError } from "../../../src/errors.ts";
import type { AccountEvent } from "../../../src/events/event.ts";
import { translate } from "../../../src/events/translate.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { changeItem } from "../../../src/runtime/outbox/change-item.ts";
import type { Candidate } from "../../../src/runtime/outbox/effects/effect.ts";
import {
  type FindAgain,
  Reconciler,
  type ReconcilerNeeds,
} from "../../../src/runtime/outbox/reconcile.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Item, NewItem } from "../../../src/runtime/store/item.ts";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { heldLeases } from "../../support/held-leases.ts";
import { when } from "../../support/when.ts";
import * as wire from "../../support/wire.ts";
import { entry, item, moved, takenIn } from "../store/builders.ts";
import { folderPlace } from "../store/place.ts";

let place: Awaited<ReturnType<typeof folderPlace>>;
let store: Store;
let leases: readonly Lease[];
let clock: HandClock;
let reconciler: Reconciler | undefined;

beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
  leases = await store.lease("me", 60_000);
  clock = handClock();
});
afterEach(async () => {
  await reconciler?.stop();
  await store.close();
  await place.remove();
});

/**
 * Outcome of an outbox item: `sent` with a platform id, or `unknown` this many milliseconds after it became `sending`.
 */
type End = readonly ["sent", string] | readonly ["unknown", number?];

const HI: Action = { type: "reply_dm", to: "200", text: "hi" };

/** Creates one outbox item for each of these outcomes, all in one conversation. */
const lane = (...ends: readonly End[]) => laneWith(HI, ...ends);

/** Creates a lane like {@link lane}, whose items all have this action. */
async function laneWith(action: Action, ...ends: readonly End[]) {
  await store.append([entry()]);
  const [open] = await store.fetch(leases, 0, 9);
  if (open === undefined) throw new Error("nothing to decide");
  const items = ends.map((_, n): NewItem => item({ key: `k${n}`, lane: "100/200", action }));
  await store.commit("me", [takenIn(leases, open, { items })]);
  const queued = (await store.items({ limit: 99 })).toReversed();
  for (const [n, [end, came = 0]] of ends.entries()) {
    const one = queued[n];
    if (one === undefined) throw new Error("nothing queued");
    await store.changeItems("me", [moved(leases, one, "sending", { at: clock.now() })]);
    const sending = { ...one, status: "sending" as const };
    if (typeof came === "number") clock.advance(came);
    const at = clock.now();
    const over = typeof came === "number" ? { notBefore: at + 600_000 } : { platformId: came };
    await store.changeItems("me", [moved(leases, sending, end, { at, ...over })]);
  }
}

function reconciling(
  find: FindAgain,
  requestTimeoutMs = 5_000,
  over: Partial<ReconcilerNeeds> = {},
): void {
  const log = openLog({ level: "silent" });
  const change = changeItem({ name: "me", store, clock, log, events: { publish: () => {} } });
  const held = heldLeases(leases);
  const needs = { store, change, find, clock, log, leases: held, requestTimeoutMs, ...over };
  reconciler = new Reconciler(needs);
}

const PLATFORM_KNOWS_MS = 15_000;
/** Request timeout that cancels {@link PLATFORM_KNOWS_MS}, so that the reconciler looks up items at once. */
const NO_WAIT = -PLATFORM_KNOWS_MS;
const shows = (...platformIds: readonly string[]): (() => Promise<readonly Candidate[]>) => {
  const matches = platformIds.map((platformId) => ({ platformId }));
  return async () => matches;
};
const items = async (): Promise<readonly Item[]> => (await store.items({ limit: 99 })).toReversed();
const statuses = async () => (await items()).map(({ status }) => status);
const settled = (): Promise<true> =>
  when(async () => ((await store.stats()).items.unknown === 0 ? true : undefined));

describe("an item whose outcome is unknown", () => {
  it("becomes sent when the platform shows its message or post", async () => {
    await lane(["unknown"]);
    reconciling(shows("77"));
    clock.advance(PLATFORM_KNOWS_MS);
    await settled();

    expect(await items()).toMatchObject([{ status: "sent", platformId: "77" }]);
  });

  describe("whose repetition was refused as a duplicate", () => {
    const reason = "POST /2/posts was refused with 403: no Tweet with duplicate content";
    const refused = async (): Promise<void> => {
      await lane(["unknown"]);
      const [one] = await items();
      if (one === undefined) throw new Error("nothing queued");
      await store.changeItems("me", [moved(leases, one, "unknown", { reason })]);
      clock.advance(PLATFORM_KNOWS_MS);
    };

    it("becomes sent with the post of its first request, which may be a day old", async () => {
      await refused();
      const firstAt = clock.now() - 23 * 60 * 60_000;
      reconciling(async (_account, _action, since) =>
        firstAt < since ? [] : [{ platformId: "77" }],
      );
      await settled();

      expect(await items()).toMatchObject([{ status: "sent", platformId: "77" }]);
    });

    it("fails with the refusal if the platform does not show it: it would be refused again", async () => {
      await refused();
      reconciling(shows());
      await settled();

      expect(await items()).toMatchObject([{ status: "failed", reason }]);
    });
  });

  it("is sent again when the platform certainly does not have it", async () => {
    await lane(["unknown"]);
    reconciling(shows());
    clock.advance(PLATFORM_KNOWS_MS);
    await settled();

    expect(await items()).toMatchObject([{ status: "pending", notBefore: clock.now() }]);
  });

  it("expires when the platform does not have it and its time has passed", async () => {
    await lane(["unknown"]);
    const [one] = await items();
    if (one === undefined) throw new Error("nothing queued");
    const expiresAt = clock.now() + PLATFORM_KNOWS_MS;
    await store.changeItems("me", [moved(leases, one, "unknown", { expiresAt })]);
    reconciling(shows());
    clock.advance(PLATFORM_KNOWS_MS);
    await settled();

    expect(await items()).toMatchObject([
      { status: "expired", reason: "not found on the platform, and its time has passed" },
    ]);
  });

  describe("of an account that is not linked", () => {
    const EXPIRES_MS = 60 * 60_000;
    let lookUps: number;
    const find = async () => {
      lookUps += 1;
      throw new UsageError("account 100 is not linked");
    };
    /** Has the item looked up at this time after it became unknown. */
    async function lookedUp(after: number, over: Partial<ReconcilerNeeds> = {}): Promise<void> {
      await lane(["unknown"]);
      const [one] = await items();
      if (one === undefined) throw new Error("nothing queued");
      const expiresAt = clock.now() + EXPIRES_MS;
      await store.changeItems("me", [moved(leases, one, "unknown", { expiresAt })]);
      lookUps = 0;
      clock.advance(after);
      reconciling(find, NO_WAIT, over);
      await when(() => lookUps || undefined);
      await reconciler?.stop();
    }

    it("expires when its time has passed", async () => {
      await lookedUp(EXPIRES_MS);

      expect(await items()).toMatchObject([
        {
          status: "expired",
          reason: "unknown whether it was done: account 100 is not linked",
        },
      ]);
    });

    it("stays unknown before, since the account may be linked again", async () => {
      await lookedUp(EXPIRES_MS - 1);

      expect(await statuses()).toEqual(["unknown"]);
    });

    it("stays unknown while the platform's time is not known", async () => {
      await lookedUp(EXPIRES_MS, { clock: { ...clock, isKnown: () => false } });

      expect(await statuses()).toEqual(["unknown"]);
    });
  });

  it.each([
    { isReading: false, when: "afterwards" },
    { isReading: true, when: "afterwards, and it became unknown while others were read" },
  ])("is not looked up sooner if the clock is corrected forward $when", async ({ isReading }) => {
    await lane(["unknown"]);
    const [one] = await items();
    if (one === undefined) throw new Error("nothing is unknown");
    let polls = 0;
    let lookUps = 0;
    const find = async () => {
      lookUps += 1;
      return [];
    };
    reconciling(find, 60_000, {
      clock: { ...clock, jumpsAreCorrections: true },
      store: {
        items: (...args) => store.items(...args),
        openItems: async (...args) => {
          polls += 1;
          if (polls > 1 || !isReading) return store.openItems(...args);
          await new Promise((resolve) => setImmediate(resolve));
          reconciler?.expect(one);
          return [];
        },
      },
    });
    if (!isReading) reconciler?.expect(one);
    await when(() => polls > 1 || undefined);
    clock.advance(60 * 60_000);
    const before = polls;
    await when(() => {
      reconciler?.wake();
      return polls > before + 2 ? true : undefined;
    });

    expect(lookUps).toBe(0);
    expect(await statuses()).toEqual(["unknown"]);
  });

  it("is settled even if the result of an earlier item can't be stored", async () => {
    await lane(["unknown"], ["unknown"]);
    const [odd] = await items();
    const change = changeItem({
      name: "me",
      store,
      clock,
      log: openLog({ level: "silent" }),
      events: { publish: () => {} },
    });
    reconciling(shows("77", "78"), NO_WAIT, {
      change: async (item, ...rest) => {
        if (item.id === odd?.id) throw new StoreError("store-data", "the store can't hold the id");
        return change(item, ...rest);
      },
    });
    await when(async () => (await statuses()).includes("sent") || undefined);

    expect(await statuses()).toEqual(["unknown", "sent"]);
  });

  it("is found even if the clock was set back after it was sent", async () => {
    await lane(["unknown"]);
    const searchedSince: number[] = [];
    clock.advance(-60 * 60_000);
    reconciling(async (_account, _action, since) => {
      searchedSince.push(since);
      return [{ platformId: "77" }];
    }, NO_WAIT);
    await settled();

    expect(await items()).toMatchObject([{ status: "sent", platformId: "77" }]);
    expect(searchedSince[0]).toBeLessThanOrEqual(clock.now());
  });

  it("is not looked up before the platform must show it", async () => {
    await lane(["unknown"]);
    let reads = 0;
    reconciling(async () => {
      reads += 1;
      return [];
    });
    clock.advance(PLATFORM_KNOWS_MS - 1);
    await reconciler?.stop();

    expect(reads).toBe(0);
    expect(await statuses()).toEqual(["unknown"]);
  });

  it("is not looked up too early if its request left long after its mark", async () => {
    await lane(["unknown", 8_000]);
    let reads = 0;
    reconciling(async () => {
      reads += 1;
      return [];
    });
    clock.advance(PLATFORM_KNOWS_MS - 1);
    await reconciler?.stop();

    expect(reads).toBe(0);
  });

  it("is found even if the clock was set back between its mark and its request", async () => {
    await lane(["unknown", -60_000]);
    const createdAt = clock.now();
    reconciling(async (_account, _action, since) =>
      createdAt < since ? [] : [{ platformId: "77" }],
    );
    clock.advance(60_000 + PLATFORM_KNOWS_MS);
    await settled();

    expect(await items()).toMatchObject([{ status: "sent", platformId: "77" }]);
  });

  it("claims no message of an earlier equal text: two intended messages stay two", async () => {
    await lane(["sent", "77"], ["unknown"]);
    reconciling(shows("77"));
    clock.advance(PLATFORM_KNOWS_MS);
    await settled();

    expect(await statuses()).toEqual(["sent", "pending"]);
  });

  it("claims the second of two equal texts on the platform", async () => {
    await lane(["sent", "77"], ["unknown"]);
    reconciling(shows("77", "78"));
    clock.advance(PLATFORM_KNOWS_MS);
    await settled();

    expect(await items()).toMatchObject([{ platformId: "77" }, { platformId: "78" }]);
  });

  describe("that the platform never shows, but that may be repeated", () => {
    const never: FindAgain = async () => undefined;

    it.each(["hide_reply", "unhide_reply", "unlike", "undo_repost"] as const)(
      "is sent again: %s",
      async (type) => {
        await laneWith({ type, postId: "1", to: "200" }, ["unknown"]);
        reconciling(never);
        clock.advance(PLATFORM_KNOWS_MS);
        await settled();

        expect(await items()).toMatchObject([
          { status: "pending", notBefore: clock.now(), reason: "sent again, which does no harm" },
        ]);
      },
    );

    it("expires when its time has passed", async () => {
      await laneWith({ type: "hide_reply", postId: "1", to: "200" }, ["unknown"]);
      const [one] = await items();
      if (one === undefined) throw new Error("nothing queued");
      const expiresAt = clock.now() + PLATFORM_KNOWS_MS;
      await store.changeItems("me", [moved(leases, one, "unknown", { expiresAt })]);
      reconciling(never);
      clock.advance(PLATFORM_KNOWS_MS);
      await settled();

      expect(await statuses()).toEqual(["expired"]);
    });
  });

  it("stays unknown if the platform never shows it, and expires when its time has passed", async () => {
    await lane(["unknown"]);
    const [one] = await items();
    if (one === undefined) throw new Error("nothing queued");
    const expiresAt = clock.now() + 2 * PLATFORM_KNOWS_MS;
    await store.changeItems("me", [moved(leases, one, "unknown", { expiresAt })]);
    let searches = 0;
    const never: FindAgain = async () => void (searches += 1);
    reconciling(never);
    clock.advance(PLATFORM_KNOWS_MS);
    await when(() => (searches > 0 ? true : undefined));
    await reconciler?.stop();
    expect(await statuses()).toEqual(["unknown"]);

    reconciling(never);
    clock.advance(PLATFORM_KNOWS_MS);
    await settled();
    expect(await items()).toMatchObject([
      {
        status: "expired",
        reason: "unknown whether it was done: the platform does not show it",
      },
    ]);
  });

  it("stays unknown while the platform can't be read", async () => {
    await lane(["unknown"]);
    let reads = 0;
    reconciling(async () => {
      reads += 1;
      throw new Error("503");
    });
    clock.advance(PLATFORM_KNOWS_MS);
    await when(() => (reads > 0 ? true : undefined));
    await reconciler?.stop();

    expect(await statuses()).toEqual(["unknown"]);
  });
});

describe("stopping", () => {
  it("ends even if the platform never answers, and leaves the item unknown", async () => {
    await lane(["unknown"]);
    let reads = 0;
    reconciling(() => {
      reads += 1;
      return new Promise(() => {});
    }, 20);
    clock.advance(PLATFORM_KNOWS_MS);
    await when(() => (reads > 0 ? true : undefined));

    await reconciler?.stop();

    expect(await statuses()).toEqual(["unknown"]);
  });
});

describe("the echo of an unknown item", () => {
  /** Event of a message that the account itself wrote to @ana. */
  const echo = (id: string, text: string, at = clock.now()): AccountEvent => {
    const body = wire.message({ id, from: "100", to: "200", text, at });
    const [arrival] = translate(body, at);
    if (arrival === undefined) throw new Error("no event");
    return arrival.event;
  };
  const never: FindAgain = () => new Promise(() => {});

  it("settles it at once, without reading the platform", async () => {
    await lane(["unknown"]);
    reconciling(never);
    reconciler?.expect((await items())[0] ?? { id: 0, lane: "" });

    reconciler?.onEvent("100/200", () => echo("88", "hi"));
    await settled();

    expect(await items()).toMatchObject([{ status: "sent", platformId: "88" }]);
  });

  it.each([
    { why: "another text", event: () => echo("88", "something else") },
    { why: "before it was sent", event: () => echo("88", "hi", clock.now() - 60_000) },
    { why: "made by another item", event: () => echo("77", "hi") },
  ])("is not one that is $why", async ({ event }) => {
    await lane(["sent", "77"], ["unknown"]);
    reconciling(never);
    reconciler?.expect((await items())[1] ?? { id: 0, lane: "" });

    reconciler?.onEvent("100/200", event);
    for (let turn = 0; turn < 20; turn++) await store.stats();

    expect(await statuses()).toEqual(["sent", "unknown"]);
  });
});
