import type { Item, ItemStatus } from "../../../../src/runtime/store/item.ts";
import type { Lease } from "../../../../src/runtime/store/lease.ts";
import type { Store } from "../../../../src/runtime/store/store.ts";
import type { Transition } from "../../../../src/runtime/store/transition.ts";
import { entry, item, moved, run, takenIn } from "../builders.ts";

const WORKER = "filling";
export const LANES = ["100/200", "100/201", "100/202", "101/300"] as const;
const [FIRST, SECOND, THIRD, OTHER] = LANES;
const STATES = ["user/100/200/name", "user/100/200/mood", "count/100"] as const;

/** Fills a store with objects of each kind and in each state. */
export async function fillRichly(store: Store): Promise<void> {
  const leases = await store.lease(WORKER, 15_000);
  const decide = async (key: string, lane: string, over: (seq: number) => Partial<Transition>) => {
    const account = lane.split("/")[0] ?? "";
    const [appended] = await store.append([entry({ key, lane, account, body: "ö".repeat(300) })]);
    const inputs = await store.fetch(leases, 1_000, 100);
    const input = inputs.find((one) => one.kind === "event" && one.entry.seq === appended?.seq);
    if (input === undefined) throw new Error(`${key} is not in the inbox`);
    const [result] = await store.commit(WORKER, [takenIn(leases, input, over(appended?.seq ?? 0))]);
    if (result !== "committed") throw new Error(`${key} is ${JSON.stringify(result)}`);
  };
  const ends: readonly ItemStatus[] = [
    "sent",
    "failed",
    "expired",
    "unknown",
    "held",
    "sending",
    "pending",
  ];
  for (const [n, status] of ends.entries()) {
    const lane = `100/4${n}`;
    await decide(`to-be-${status}`, lane, (seq) => ({
      runs: [run(seq, { id: `${seq}/rule:faq`, lane })],
      items: [
        item({
          key: `${seq}/first`,
          run: `${seq}/rule:faq`,
          seq,
          lane,
          priority: n,
          expiresAt: 90_000,
        }),
        item({
          key: `${seq}/second`,
          run: `${seq}/rule:faq`,
          seq,
          lane,
          counted: { at: 5, limits: [] },
        }),
        ...(status === "held"
          ? [item({ key: `${seq}/h`, run: `${seq}/rule:faq`, seq, lane, holdReason: "too many" })]
          : []),
      ],
    }));
    if (status !== "held" && status !== "pending") await bring(store, leases, lane, status);
  }
  const waiting = (seq: number, lane: string, n: number) => ({
    runs: [
      run(seq, {
        id: `${seq}/rule:wait`,
        owner: "rule:wait",
        lane,
        status: "waiting",
        waitsFor: `${seq}/rule:wait/timer`,
        slot: "one at a time",
        body: '{"at":"question"}',
        ...(n === 0 && { listens: true }),
        ...(n > 0 && { queues: true }),
      }),
    ],
    timers: [{ id: `${seq}/rule:wait/timer`, run: `${seq}/rule:wait`, lane, dueAt: 50_000 + n }],
    sources: [
      {
        revision: "r1",
        ruleId: "wait",
        path: "rules/wait.yaml",
        text: "a",
        beside: "{}",
        savedAt: 1,
      },
    ],
  });
  await decide("waits", FIRST, (seq) => waiting(seq, FIRST, 0));
  await decide("queues", SECOND, (seq) => waiting(seq, SECOND, 1));
  await decide("is ready", THIRD, (seq) => ({
    runs: [
      run(seq, {
        id: `${seq}/bot:b`,
        owner: "bot:b",
        lane: THIRD,
        status: "ready",
        revision: "current",
      }),
    ],
    state: STATES.map((key, n) => ({
      key,
      value: JSON.stringify({ n }),
      version: 0,
      ...(n === 1 && { expiresAt: 80_000 }),
    })),
  }));
  await decide("asks for people", FIRST, (seq) => ({
    escalations: [
      {
        key: "e1",
        run: `${seq}/rule:human`,
        seq,
        account: "100",
        lane: FIRST,
        queue: "support",
        priority: "high",
        at: 1,
        username: "ana",
        note: "waits",
        evidence: { events: ["dm:1"] },
        silences: { scope: FIRST, until: 70_000, untilResolved: true },
      },
      {
        key: "e2",
        run: `${seq}/rule:human`,
        seq,
        account: "100",
        lane: FIRST,
        queue: "support",
        priority: "normal",
        at: 2,
        silences: { scope: "100", untilResolved: true },
      },
      {
        key: "e3",
        run: `${seq}/rule:human`,
        seq,
        account: "100",
        lane: FIRST,
        queue: "legal",
        priority: "low",
        at: 3,
      },
    ],
  }));
  await store.resolveEscalation(2, 4_000);
  await decide("of a stranger", "100/666", (seq) => ({
    items: [item({ key: "x", run: "", seq, lane: "100/666" })],
  }));
  await store.forget({ id: "666", now: 5_000 });
  await store.append([
    entry({ key: "waits for its turn", lane: OTHER, account: "101" }),
    entry({ key: "is tried again", lane: THIRD, account: "100" }),
  ]);
  const again = (await store.fetch(leases, 1_000, 100)).find(({ lane }) => lane === THIRD);
  if (again === undefined) throw new Error("nothing is there to be tried again");
  await store.commit(WORKER, [takenIn(leases, again, { outcome: "retry", retryAt: 60_000 })]);
  await store.setPause({ account: "101", since: 7_000 });
  await store.cover([
    { account: "100", from: 0, to: 500, state: "delivered" },
    { account: "100", from: 500, to: 900, state: "lost", reason: "nobody was there" },
  ]);
  await store.setMeta("world", "sandbox world w1");
  await store.setMeta("answered-elsewhere", '{"until":1,"holdMs":2}');
  await store.release(WORKER);
}

async function bring(
  store: Store,
  leases: readonly Lease[],
  lane: string,
  status: ItemStatus,
): Promise<void> {
  const first = async (): Promise<Item> => {
    const [match] = (await store.items({ lane, limit: 10 })).toSorted((a, b) => a.id - b.id);
    if (match === undefined) throw new Error(`${lane} has no item`);
    return match;
  };
  const change = async (to: ItemStatus, over = {}) =>
    store.changeItems(WORKER, [moved(leases, await first(), to, over)]);
  await change("sending");
  if (status === "sending") return;
  await change(status, { reason: `it is ${status}`, platformId: "77", notBefore: 9_000 });
}

/** Reads all data of a store through its interface, except fields that differ between SQLite and PostgreSQL. */
export async function contentsOf(store: Store) {
  const leases = await store.lease("looking", 15_000);
  const runs = { after: 0, limit: 100 };
  const stats = await store.stats();
  const contents = {
    journal: (await store.journal({ limit: 1_000 })).map(bare),
    items: (await store.items({ limit: 1_000 })).map(bare),
    due: (await store.dueItems(leases, 10_000, 100)).map(({ id }) => id).toSorted((a, b) => a - b),
    overdue: (await store.overdueItems(leases, 95_000, 100)).map(({ id }) => id),
    inputs: (await store.fetch(leases, 55_000, 100)).map(({ input, attempts }) => ({
      input,
      attempts,
    })),
    runs: [
      ...(await store.openRuns(leases, { status: "ready", ...runs })),
      ...(await store.openRuns(leases, { status: "waiting", ...runs })),
    ].map(({ run: one, ordinal }) => ({ ...bare(one), ordinal })),
    slots: (await store.slots(["one at a time"])).get("one at a time")?.map(bare),
    listeners: (await store.listeners(FIRST)).map(({ run: one }) => bare(one)),
    silences: await store.silences(FIRST),
    source: await store.ruleSource("r1"),
    state: await store.load(STATES),
    escalations: await store.escalations({ limit: 100 }),
    coverage: await store.coverage(),
    pauses: await store.pauses(),
    forgotten: await store.append([entry({ key: "of a stranger", lane: "100/666" })]),
    metas: [...(await store.metas(""))].filter(([name]) => !OF_THE_PLACE.test(name)),
    stats,
  };
  await store.release("looking");
  return contents;
}

/** Adds one object of each kind, and returns the numbers that the store assigned to them. */
export async function nextNumbers(store: Store, name = "the next") {
  const leases = await store.lease("counting", 15_000);
  const lane = "100/999";
  const [appended] = await store.append([entry({ key: name, lane })]);
  const seq = appended?.seq ?? 0;
  const input = (await store.fetch(leases, 1_000, 100)).find((one) => one.lane === lane);
  if (input === undefined) throw new Error("the next is not in the inbox");
  const next = run(seq, { id: `${seq}/rule:faq`, lane, status: "waiting", waitsFor: "never" });
  await store.commit("counting", [
    takenIn(leases, input, {
      runs: [next],
      items: [item({ key: name, run: next.id, seq, lane })],
      state: [{ key: name, value: "1", version: 0 }],
      escalations: [
        { key: name, run: next.id, seq, account: "100", lane, queue: "q", priority: "low", at: 1 },
      ],
    }),
  ]);
  const open = await store.openRuns(leases, { status: "waiting", after: 0, limit: 100 });
  await store.release("counting");
  return {
    seq,
    item: (await store.items({ lane, limit: 1 }))[0]?.id ?? 0,
    run: open.find(({ run: one }) => one.id === next.id)?.ordinal ?? 0,
    state: (await store.load([name])).get(name)?.version ?? 0,
    escalation: (await store.escalations({ limit: 1 }))[0]?.id ?? 0,
  };
}

/** Removes the field `partition`, which differs between SQLite and PostgreSQL. */
function bare<T extends { readonly partition?: number }>({ partition, ...rest }: T) {
  return rest;
}

const OF_THE_PLACE = /^(partitions|moved-to|accounts?[-:].*)$/;
