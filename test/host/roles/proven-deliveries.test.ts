import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DeliveryChange } from "../../../src/runtime/catchup/delivery-watch.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { ProvenDeliveries } from "../../../src/host/roles/proven-deliveries.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { DeliveryProof } from "../../../src/runtime/webhook-link/link.ts";
import type { ReachabilityChange } from "../../../src/runtime/webhook-link/reachability.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { folderPlace } from "../../runtime/store/place.ts";

const MINUTE = 60_000;
const ACCOUNTS = ["100", "200"];

let place: Awaited<ReturnType<typeof folderPlace>>;
let store: Store;
let clock: HandClock;
let linked: Set<string>;
/** Functions by which the test reports changes of the webhook link, and received and refused deliveries. */
let link: (change: ReachabilityChange) => void;
let arrives: (account?: string, at?: number) => void;
let isTurnedAway: (account?: string) => void;
let unlinks: (id: string) => void;
let changes: DeliveryChange[];
let proven: ProvenDeliveries;

beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
  clock = handClock(0);
  linked = new Set(ACCOUNTS);
  proven = await begun();
});
afterEach(async () => {
  await proven.stop();
  await store.close();
  await place.remove();
});

/** Starts a process whose webhook link works. */
async function begun(): Promise<ProvenDeliveries> {
  changes = [];
  const listeners = new Set<(change: ReachabilityChange) => void>();
  const watch = new ProvenDeliveries({
    link: {
      onReachable(listener) {
        listeners.add(listener);
        for (const account of ACCOUNTS) listener({ account, reachable: true, since: clock.now() });
        return () => void listeners.delete(listener);
      },
      onRefused(listener: (refused: DeliveryProof) => void) {
        isTurnedAway = (account) => {
          const at = clock.now();
          listener(account === undefined ? { at } : { account, at });
        };
        return () => {};
      },
      onProof(listener: (proof: DeliveryProof) => void) {
        arrives = (account, at = clock.now()) =>
          listener(account === undefined ? { at } : { account, at });
        return () => {};
      },
    },
    store,
    accounts: {
      find: (id) => (linked.has(id) ? {} : undefined),
      subscribe(listener) {
        unlinks = (id) => listener({ type: "removed", account: { id } });
        return () => {};
      },
    },
    clock,
    log: openLog({ level: "silent" }),
  });
  await watch.load();
  link = (change) => {
    for (const listener of listeners) listener(change);
  };
  watch.onReachable((change) => changes.push(change));
  return watch;
}

const raise = (accounts: readonly string[], since = clock.now()) =>
  proven.raise({ accounts, since, reason: "a sign" });
const reachable = () =>
  ACCOUNTS.filter((id) => changes.findLast(({ account }) => account === id)?.reachable);

describe("an account whose deliveries may be missing", () => {
  it("is not reachable until a delivery for it arrives, whatever comes for others", () => {
    clock.advance(10 * MINUTE);
    raise(["100"], 5 * MINUTE);
    expect(changes.at(-1)).toEqual({
      account: "100",
      reachable: false,
      since: 5 * MINUTE,
      reason: "a sign",
    });
    arrives("200");
    expect(reachable()).toEqual(["200"]);
    expect(proven.doubted()).toEqual(["100"]);
    clock.advance(MINUTE);
    arrives("100");

    expect(changes.at(-1)).toMatchObject({ account: "100", reachable: true, since: 11 * MINUTE });
    expect(proven.doubted()).toEqual([]);
  });

  it("is reachable again with all others once a challenge arrives", () => {
    raise(ACCOUNTS);
    expect(reachable()).toEqual([]);
    arrives();

    expect(reachable()).toEqual(ACCOUNTS);
  });

  it("does not become reachable by a report of the link alone", () => {
    raise(["100"]);
    link({ account: "100", reachable: false, since: 0, reason: "lost" });
    expect(proven.doubted()).toEqual([]);
    link({ account: "100", reachable: true, since: clock.now() });

    expect(reachable()).toEqual(["200"]);
    expect(proven.doubted()).toEqual(["100"]);
  });

  it("does not become reachable by an arrival before a sign that is reported late", () => {
    clock.advance(10 * MINUTE);
    raise(["100"]);
    arrives("100", 9 * MINUTE);
    arrives(undefined, 9 * MINUTE);

    expect(reachable()).toEqual(["200"]);
  });

  it("does not become reachable by an arrival between two signs", () => {
    raise(["100"]);
    clock.advance(10 * MINUTE);
    raise(["100"]);
    arrives("100", 9 * MINUTE);

    expect(reachable()).toEqual(["200"]);
  });

  it("is reported again only if the doubt begins earlier", () => {
    clock.advance(10 * MINUTE);
    raise(["100"], 5 * MINUTE);
    raise(["100"], 7 * MINUTE);
    raise(["100"], 3 * MINUTE);

    const unreachableSince = changes
      .filter((change) => !change.reachable)
      .map(({ since }) => since);
    expect(unreachableSince).toEqual([5 * MINUTE, 3 * MINUTE]);
  });

  it("is also unreachable in the next process", async () => {
    clock.advance(10 * MINUTE);
    raise(["100"], 5 * MINUTE);
    await proven.stop();
    proven = await begun();

    expect(changes).toMatchObject([
      { account: "100", reachable: false, since: 5 * MINUTE },
      { account: "200", reachable: true },
    ]);
    arrives("100");
    await proven.stop();
    proven = await begun();
    expect(reachable()).toEqual(ACCOUNTS);
  });

  it("is forgotten once it is not linked any more", async () => {
    raise(ACCOUNTS);
    unlinks("100");
    expect(proven.doubted()).toEqual(["200"]);
    await proven.stop();
    linked.delete("200");
    proven = await begun();

    expect(proven.doubted()).toEqual([]);
  });

  it("becomes reachable by a delivery after the clock was set back", () => {
    clock.advance(30 * MINUTE);
    raise(["100"]);
    clock.advance(-20 * MINUTE);
    arrives("100");

    expect(reachable()).toEqual(ACCOUNTS);
  });
});

describe("a delivery that was refused here", () => {
  beforeEach(() => clock.advance(30 * MINUTE));

  it("puts its account in doubt from the earliest possible first attempt", () => {
    isTurnedAway("100");

    expect(changes.at(-1)).toMatchObject({ account: "100", reachable: false, since: 25 * MINUTE });
    expect(reachable()).toEqual(["200"]);
    arrives("100");
    expect(reachable()).toEqual(ACCOUNTS);
  });

  it("puts all accounts in doubt if its account is unknown", () => {
    isTurnedAway();
    isTurnedAway();

    expect(reachable()).toEqual([]);
    expect(changes.filter((change) => !change.reachable)).toHaveLength(2);
  });

  it("is named once, to be read back when the store takes writes again", async () => {
    expect(await proven.takeRefused()).toEqual([]);
    isTurnedAway("100");
    isTurnedAway("100");
    const setMeta = store.setMeta.bind(store);
    store.setMeta = () => Promise.reject(new Error("database or disk is full"));
    expect(await proven.takeRefused()).toEqual([]);

    store.setMeta = setMeta;
    expect(await proven.takeRefused()).toEqual(["100"]);
    expect(await proven.takeRefused()).toEqual([]);
    await proven.stop();
    proven = await begun();
    expect(proven.doubted()).toEqual(["100"]);
  });

  it("is not read back if it was shed unread, because less work shall wait", async () => {
    isTurnedAway();

    expect(await proven.takeRefused()).toEqual([]);
  });

  it("has no effect on an account that is not reachable anyway, or not linked", () => {
    link({ account: "100", reachable: false, since: 0, reason: "lost" });
    isTurnedAway("100");
    isTurnedAway("300");
    link({ account: "100", reachable: true, since: clock.now() });

    expect(reachable()).toEqual(ACCOUNTS);
    expect(proven.doubted()).toEqual([]);
  });
});

describe("a loss of the link", () => {
  it("begins with the last arrival, even if the webhook looked valid for longer", () => {
    clock.advance(10 * MINUTE);
    arrives("200");
    clock.advance(50 * MINUTE);
    link({ account: "100", reachable: false, since: 59 * MINUTE, reason: "a challenge failed" });

    expect(changes.at(-1)).toMatchObject({ account: "100", since: 10 * MINUTE });
  });

  it("begins before the clock was set back, if nothing has arrived since", () => {
    clock.advance(30 * MINUTE);
    arrives("100");
    clock.advance(-20 * MINUTE);
    link({ account: "100", reachable: false, since: 10 * MINUTE, reason: "a challenge failed" });

    expect(changes.at(-1)).toMatchObject({ since: 30 * MINUTE });
  });
});

it("the last proof of an account is a challenge or a delivery for it", () => {
  clock.advance(MINUTE);
  arrives();
  clock.advance(MINUTE);
  arrives("200");

  expect(proven.lastProof("100")).toBe(MINUTE);
  expect(proven.lastProof("200")).toBe(2 * MINUTE);
  expect(proven.lastProof()).toBe(2 * MINUTE);
});

it("a doubt whose end could not be stored is over for the next process, after another request", async () => {
  raise(["100"]);
  await proven.stop();
  clock.advance(MINUTE);
  const full = new StoreError("store-full", "the disk is full");
  vi.spyOn(store, "setMeta").mockRejectedValueOnce(full);
  arrives("100");
  await proven.stop();
  arrives("200");
  await proven.stop();

  proven = await begun();
  expect(proven.doubted()).toEqual([]);
  expect(reachable()).toEqual(ACCOUNTS);
});
