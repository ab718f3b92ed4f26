import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { changeItem } from "../../../src/runtime/outbox/change-item.ts";
import type { Ending, Use } from "../../../src/runtime/outbox/gate/gate.ts";
import type { Permission } from "../../../src/runtime/outbox/gate/permission.ts";
import {
  Outbox,
  type OutboxNeeds,
  type StoreTransition,
} from "../../../src/runtime/outbox/outbox.ts";
import { postponer } from "../../../src/runtime/outbox/postpone.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Item, ItemTransition, NewItem } from "../../../src/runtime/store/item.ts";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import { openMemoryStore } from "../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { heldLeases } from "../../support/held-leases.ts";
import { when } from "../../support/when.ts";
import { entriesOf, entry, item, run, takenIn } from "../store/builders.ts";

const ME = "me";
const LANE = "100/200";
const REPLY = "POST /2/dm_conversations/with/:participant_id/messages";

let store: Store;
let leases: readonly Lease[];
let clock: HandClock;
let last: number;
beforeEach(async () => {
  store = openMemoryStore();
  leases = await store.lease(ME, 60_000);
  clock = handClock();
  last = 0;
});
afterEach(() => store.close());

interface Here {
  readonly outbox: Outbox;
  /** Texts of the requests, in order. */
  readonly sent: string[];
  /** Calls of the store and the gate, in order. */
  readonly calls: string[];
  readonly gate: { permission: Permission };
  /** Commits the transition through the outbox, and records the call and its result. */
  readonly commit: (one: Transition) => ReturnType<StoreTransition>;
}

/** Starts an outbox without work, and waits for its first poll. */
async function started(over: Partial<OutboxNeeds> = {}): Promise<Here> {
  const [sent, calls]: string[][] = [[], []];
  const gate: Here["gate"] = { permission: { kind: "go" } };
  const log = openLog({ level: "silent" });
  const watched = {
    items: store.items.bind(store),
    openItems: store.openItems.bind(store),
    overdueItems: store.overdueItems.bind(store),
    dueItems: (...query: Parameters<Store["dueItems"]>) => {
      calls?.push("dueItems");
      return store.dueItems(...query);
    },
    changeItems: (worker: string, changes: readonly ItemTransition[]) => {
      calls?.push(...changes.map(({ from, to }) => `${from} -> ${to}`));
      return store.changeItems(worker, changes);
    },
  };
  const outbox = new Outbox({
    store: watched,
    change: changeItem({ name: ME, store: watched, clock, log, events: { publish: () => {} } }),
    postpone: postponer({ name: ME, store: watched, clock, log }),
    gate: {
      ask: () => gate.permission,
      begin: ({ endpoint }: Use) => {
        calls?.push(`begins ${endpoint === REPLY ? "reply" : endpoint}`);
        return ({ kind }: Ending) => void calls?.push(kind);
      },
      setBack: () => {},
    },
    clock,
    log,
    leases: heldLeases(leases),
    perform: async (_account, action, beforeWrite) => {
      beforeWrite();
      calls?.push("request");
      sent?.push("text" in action ? action.text : action.type);
      return { kind: "accepted", platformId: String(sent?.length) };
    },
    random: () => 0,
    requestTimeoutMs: 1_000,
    ...over,
  });
  await when(() => (calls?.includes("dueItems") === true ? true : undefined));
  calls?.splice(0);
  const write: StoreTransition = async (transition) => {
    calls?.push(transition.sends === undefined ? "commit" : "commit to send");
    const [result] = await store.commit(ME, [transition]);
    return result ?? "fenced";
  };
  const commit: Here["commit"] = (one) => outbox.commit(one, write);
  return { outbox, sent: sent ?? [], calls: calls ?? [], gate, commit };
}

/** Appends an event, and returns the transition that processes it and queues `items`. */
async function decided(
  items: readonly Partial<NewItem>[] = [{}],
  over: Partial<Transition> = {},
): Promise<Transition> {
  const key = `dm:${++last}`;
  await store.append([entry({ key, lane: LANE })]);
  const inputs = await store.fetch(leases, clock.now(), 100);
  const input = inputs.find((one) => entriesOf([one])[0]?.key === key);
  if (input === undefined) throw new Error("there is no event");
  const queued = items.map((one, n) => item({ lane: LANE, key: `${key}/${n}`, ...one }));
  return takenIn(leases, input, { at: clock.now(), items: queued, ...over });
}

const items = () => store.items({ limit: 9 });
const allAre = (status: Item["status"]): Promise<true> =>
  when(async () => ((await items()).every((one) => one.status === status) ? true : undefined));
const text = (of: string): Partial<NewItem> => ({
  action: { type: "reply_dm", to: "200", text: of },
});

describe("an item that is sent with its transition", () => {
  it("takes one write before its request and one after it", async () => {
    const { outbox, calls, sent, commit } = await started();
    expect(await commit(await decided())).toEqual({ sending: 1 });
    await allAre("sent");
    await outbox.stop();

    const first = ["begins reply", "commit to send", "request", "answered", "sending -> sent"];
    expect(calls.slice(0, 5)).toEqual(first);
    expect(sent).toEqual(["hi"]);
    expect(await items()).toMatchObject([{ attempts: 1, platformId: "1" }]);
  });

  it.each([
    { leftMs: 1_000, uploadMs: 999, status: "sent", requests: 1 },
    { leftMs: 1_000, uploadMs: 1_000, status: "expired", requests: 0 },
  ] as const)(
    "leaves before it expires, or not at all: it has $leftMs ms, its upload takes $uploadMs ms",
    async ({ leftMs, uploadMs, status, requests }) => {
      const remaining: unknown[] = [];
      let sent = 0;
      const { outbox, commit } = await started({
        perform: async (_account, _action, beforeWrite, remainingMs) => {
          remaining.push(remainingMs);
          clock.advance(uploadMs);
          try {
            beforeWrite();
          } catch (error) {
            return { kind: "kept-back", reason: String(error) };
          }
          sent += 1;
          return { kind: "accepted" };
        },
      });
      await commit(await decided([{ expiresAt: clock.now() + leftMs }]));
      await allAre(status);
      await outbox.stop();

      expect({ sent, remaining }).toEqual({ sent: requests, remaining: [leftMs] });
    },
  );

  it("has the same content as when it is read from the store", async () => {
    const requested: Item[] = [];
    const { outbox, commit } = await started({
      watch: async (one, send) => {
        requested.push(one, ...(await items()));
        return send(() => {});
      },
    });
    const full = { heardAt: 5, unless: { key: "opted-out", reason: "wants none" }, priority: 1 };
    await commit(await decided([{ ...full, expiresAt: clock.now() + 9 }]));
    await allAre("sent");
    await outbox.stop();

    expect(requested).toHaveLength(2);
    expect(requested[0]).toEqual(requested[1]);
  });

  it("begins its request only after the commit has returned", async () => {
    const { outbox, calls, commit } = await started();
    await commit(await decided()).then(() => calls.push("noted"));
    await allAre("sent");
    await outbox.stop();

    expect(calls.indexOf("noted")).toBeLessThan(calls.indexOf("request"));
  });

  it("keeps its place: the items of a lane are sent in order", async () => {
    const { outbox, sent, commit } = await started();
    const first = await decided([text("one"), text("two")]);
    const second = await decided([text("three")]);
    await Promise.all([commit(first), commit(second)]);
    await allAre("sent");
    await outbox.stop();

    expect(sent).toEqual(["one", "two", "three"]);
  });

  test.each([
    { why: "it is held", over: { holdReason: "names others" }, status: "held", isOffered: false },
    { why: "it is not due", over: { notBefore: Infinity }, status: "pending", isOffered: false },
    { why: "its lane is another one", over: { lane: "100/300" }, status: "sent", isOffered: false },
    {
      why: "it continues a thread of posts",
      over: {
        action: { type: "reply_post", inReplyTo: "1", to: "200", text: "2", after: "gone" },
      },
      status: "expired",
      isOffered: false,
    },
    {
      why: "it continues a message",
      over: { action: { type: "reply_dm", to: "200", text: "2", after: "gone" } },
      status: "expired",
      isOffered: false,
    },
    {
      why: "it is above an answer limit",
      over: { counted: { at: 1, limits: [{ of: "answers", max: 0, inMs: 9, reason: "many" }] } },
      status: "held",
      isOffered: true,
    },
  ] as const)("does not leave with it if $why", async ({ over, status, isOffered }) => {
    const { outbox, calls, commit } = await started();
    const expiring = "notBefore" in over ? { notBefore: clock.now() + 1 } : over;
    expect(await commit(await decided([expiring]))).toBe("committed");
    await allAre(status);
    await outbox.stop();

    const first = isOffered ? ["begins reply", "commit to send", "untried"] : ["commit"];
    expect(calls.slice(0, first.length)).toEqual(first);
  });

  test.each([
    { why: "is stale", over: { runs: [run(1, { version: 7 })] }, result: "stale" },
    { why: "is fenced", over: { epoch: 99 }, result: "fenced" },
  ])("gives its permission back if its transition $why", async ({ over, result }) => {
    const { outbox, calls, commit } = await started();
    expect(await commit(await decided([{}], over))).toBe(result);
    await outbox.stop();

    expect(await items()).toEqual([]);
    expect(calls.filter((call) => call.startsWith("begins"))).toHaveLength(
      calls.filter((call) => call === "untried").length,
    );
  });

  test.each<Permission>([{ kind: "busy" }, { kind: "wait", until: Infinity, reason: "limit" }])(
    "stays pending while the gate says $kind",
    async (permission) => {
      const { outbox, calls, gate, commit } = await started();
      gate.permission =
        permission.kind === "wait" ? { ...permission, until: clock.now() + 9_000 } : permission;
      expect(await commit(await decided())).toBe("committed");
      await outbox.stop();

      expect(calls[0]).toBe("commit");
      expect(await items()).toMatchObject([{ status: "pending" }]);
    },
  );

  it("waits behind items that wait for the same endpoint, until a poll has sent them", async () => {
    const { outbox, calls, sent, gate, commit } = await started();
    gate.permission = { kind: "busy" };
    await commit(await decided([{ ...text("old"), lane: "100/300" }]));
    outbox.wake();
    await when(() => (calls.includes("dueItems") ? true : undefined));
    await new Promise((resolve) => setImmediate(resolve));
    gate.permission = { kind: "go" };
    expect(await commit(await decided([text("new")]))).toBe("committed");
    outbox.wake();
    await allAre("sent");
    await outbox.stop();

    expect(sent).toEqual(["old", "new"]);
  });

  it("waits for a poll while as many requests are under way as may be", async () => {
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { outbox, calls, commit } = await started({
      width: 1,
      perform: async () => {
        await answered;
        return { kind: "accepted", platformId: "1" };
      },
    });
    await commit(await decided());
    const other = await decided([{ lane: LANE }]);
    expect(await commit(other)).toBe("committed");
    answer();
    await allAre("sent");
    await outbox.stop();

    expect(calls.filter((call) => call === "commit to send")).toHaveLength(1);
  });

  test.each([
    { why: "its account was paused", bar: "the account was paused" },
    { why: "the process stops", bar: "the process stopped before the request left" },
  ])("is pending again if $why while it was stored", async ({ why, bar }) => {
    let isPaused = false;
    const { outbox, sent, calls, commit } = await started({ isPaused: () => isPaused });
    const transition = await decided();
    const committing = commit(transition);
    if (why === "its account was paused") isPaused = true;
    else void outbox.stop();
    expect(await committing).toEqual({ sending: 1 });
    await allAre("pending");
    await outbox.stop();

    expect(sent).toEqual([]);
    expect(calls).toContain("untried");
    expect(await items()).toMatchObject([{ status: "pending", reason: bar }]);
  });

  test.each([
    { why: "too short for a request", until: 500, epoch: 0 },
    { why: "of another epoch", until: 60_000, epoch: 1 },
  ])("is not sent with it under a lease that is $why", async ({ until, epoch }) => {
    const other = leases.map((lease) => ({
      ...lease,
      until: performance.now() + until,
      epoch: lease.epoch + epoch,
    }));
    const { outbox, calls, commit } = await started({ leases: heldLeases(other) });
    expect(await commit(await decided())).toBe("committed");
    await outbox.stop();

    expect(calls[0]).toBe("commit");
  });

  it("is recovered if the store fails after it has stored it", async () => {
    const { outbox, calls, sent } = await started();
    const failing: StoreTransition = async (transition) => {
      await store.commit(ME, [transition]);
      throw new StoreError("store-io", "the disk failed");
    };
    await expect(outbox.commit(await decided(), failing)).rejects.toThrow("the disk failed");
    outbox.wake();
    await allAre("unknown");
    await outbox.stop();

    expect(sent).toEqual([]);
    expect(calls).toContain("untried");
  });

  it("is not recovered while its commit is under way", async () => {
    const held = heldLeases(leases);
    const { outbox, sent } = await started({ leases: held });
    const slow: StoreTransition = async (transition) => {
      const [result] = await store.commit(ME, [transition]);
      await held.take(leases);
      return result ?? "fenced";
    };
    expect(await outbox.commit(await decided(), slow)).toEqual({ sending: 1 });
    await allAre("sent");
    await outbox.stop();

    expect(sent).toEqual(["hi"]);
  });
});
