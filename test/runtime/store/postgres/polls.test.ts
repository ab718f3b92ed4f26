import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Lease } from "../../../../src/runtime/store/lease.ts";
import { openPostgresStore } from "../../../../src/runtime/store/postgres/postgres-store.ts";
import type { Store } from "../../../../src/runtime/store/store.ts";
import { when } from "../../../support/when.ts";
import { entriesOf, entry, item, run, takenIn } from "../builders.ts";
import { postgresPlace } from "../postgres-place.ts";

const WORKER = "worker";
const TTL_MS = 60_000;

let place: Awaited<ReturnType<typeof postgresPlace>>;
/** Monotonic time of the worker, in milliseconds. */
let now: number;
let statements: string[];
let store: Store;
let other: Store;
let leases: readonly Lease[];

beforeEach(async () => {
  place = await postgresPlace();
  await (await place.open()).close();
  [now, statements] = [10_000, []];
  store = await openPostgresStore(place.url, {
    now: () => now,
    name: "the worker",
    onStatement(text) {
      // The connection for notifications is opened beside the other work.
      if (!text.startsWith("LISTEN")) statements.push(text);
    },
  });
  other = await openPostgresStore(place.url);
  leases = await store.lease(WORKER, TTL_MS);
  await store.getMeta("polled", true);
});
afterEach(async () => {
  for (const one of [store, other]) await one.close();
  await place.remove();
});

/** Heartbeat of the worker, a moment after its last change of the store. */
async function beat(): Promise<void> {
  now += 1;
  await store.attend("worker", "{}", TTL_MS);
}

/** Heartbeat of the receiver, which is the other process. */
const otherBeat = () => other.attend("receiver", "{}", TTL_MS);

async function pollAll() {
  return {
    inputs: await store.fetch(leases, 5_000, 10),
    due: await store.dueItems(leases, 5_000, 10),
    overdue: await store.overdueItems(leases, 5_000, 10),
    held: await store.openItems(leases, { status: "held", after: 0, limit: 10 }),
    unknown: await store.openItems(leases, { status: "unknown", after: 0, limit: 10 }),
    pauses: await store.pauses(),
    meta: await store.getMeta("polled", true),
  };
}

const NOTHING = {
  inputs: [],
  due: [],
  overdue: [],
  held: [],
  unknown: [],
  pauses: [],
  meta: undefined,
};

/** Returns the number of statements that `work` sends. */
async function sent(work: () => Promise<unknown>): Promise<number> {
  const before = statements.length;
  await work();
  return statements.length - before;
}

const inputKeys = async () => entriesOf(await store.fetch(leases, 5_000, 10)).map(({ key }) => key);

describe("an idle process alone on a store in PostgreSQL", () => {
  it("sends one statement per heartbeat, however often it polls", async () => {
    expect(await sent(beat)).toBe(1);
    const polls = async () => {
      for (let n = 0; n < 10; n += 1) {
        now += 100;
        expect(await pollAll()).toEqual(NOTHING);
      }
    };
    expect(await sent(polls)).toBe(0);
    expect(await sent(beat)).toBe(1);
    expect(await sent(polls)).toBe(0);
  });

  it("polls the tables if its heartbeats fail", async () => {
    await beat();
    now += 2_000;
    await other.append([entry()]);
    await other.setMeta("polled", "new");

    expect(await pollAll()).toMatchObject({ inputs: [{ kind: "event" }], meta: "new" });
  });

  it("sends one statement to renew its leases, beside those of the transaction", async () => {
    const texts = statements.length;
    await store.lease(WORKER, TTL_MS);

    expect(statements.slice(texts).filter((text) => text.startsWith("BEGIN"))).toHaveLength(1);
    expect(statements.at(-1)).toBe("COMMIT");
  });

  it("sees its own changes at once", async () => {
    await beat();
    await store.append([entry()]);
    const [input] = await store.fetch(leases, 5_000, 10);
    if (input?.kind !== "event") throw new Error("the entry is not offered");
    await beat();
    const started = run(input.entry.seq, { status: "waiting", waitsFor: "timer:t" });
    const timers = [{ id: "timer:t", run: started.id, lane: started.lane, dueAt: 6_000 }];
    const queued = item({ seq: input.entry.seq, run: started.id, expiresAt: 4_000 });
    await store.commit(WORKER, [
      takenIn(leases, input, { runs: [started], timers, items: [queued] }),
    ]);

    expect(await store.dueItems(leases, 5_000, 10)).toHaveLength(1);
    expect(await store.overdueItems(leases, 5_000, 10)).toHaveLength(1);
    await store.setPause({ since: 1 });
    expect(await store.pauses()).toEqual([{ since: 1 }]);
    await store.setMeta("polled", "own");
    expect(await store.getMeta("polled", true)).toBe("own");
  });

  it("fetches a timer when it is due, between two heartbeats", async () => {
    await store.append([entry()]);
    const [input] = await store.fetch(leases, 5_000, 10);
    if (input?.kind !== "event") throw new Error("the entry is not offered");
    const started = run(input.entry.seq, { status: "waiting", waitsFor: "timer:t" });
    const timers = [{ id: "timer:t", run: started.id, lane: started.lane, dueAt: 6_000 }];
    await store.commit(WORKER, [takenIn(leases, input, { runs: [started], timers })]);
    await beat();

    expect(await sent(() => store.fetch(leases, 5_999, 10))).toBe(0);
    expect(await store.fetch(leases, 6_000, 10)).toMatchObject([{ kind: "timer-due" }]);
  });
});

describe("work that another process stores in PostgreSQL", () => {
  beforeEach(otherBeat);

  it("is found by the next poll, with one statement for each poll of an idle process", async () => {
    await beat();
    now += 1_001;
    expect(await sent(() => store.fetch(leases, 5_000, 10))).toBe(1);
    now += 100;
    expect(await sent(pollAll)).toBe(0);
    await other.append([entry()]);
    now += 100;

    expect(await inputKeys()).toEqual(["dm:1"]);
  });

  it("is found by the next poll of a busy process", async () => {
    await beat();
    await store.append([entry({ key: "own", lane: "100:201" })]);
    await other.append([entry()]);

    expect((await inputKeys()).toSorted()).toEqual(["dm:1", "own"]);
  });

  it("of a receiver wakes the worker that listens", async () => {
    await untilNotified();
    await newsAfter(() => other.append([entry()]));

    expect(await inputKeys()).toEqual(["dm:1"]);
  });

  it("such as a pause wakes the worker that listens", async () => {
    await untilNotified();
    await newsAfter(() => other.setPause({ since: 7 }));

    expect(await store.pauses()).toEqual([{ since: 7 }]);
  });

  it("without a notification, as earlier versions store it, is found at the next heartbeat", async () => {
    await untilNotified();
    let news = 0;
    store.onNews?.(() => (news += 1));
    const unknown = await openPostgresStore(place.url);
    await unknown.append([entry()]);
    await unknown.close();
    now += 900;
    expect(await sent(pollAll)).toBe(0);
    expect(await sent(beat)).toBe(1);

    expect(news).toBe(1);
    expect(await inputKeys()).toEqual(["dm:1"]);
  });

  it("is found by the next poll after the connection for notifications was lost", async () => {
    await untilNotified();
    const admin = new pg.Client({ connectionString: place.url });
    await admin.connect();
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'the worker' AND query LIKE 'LISTEN%'`,
    );
    await admin.end();
    await when(async () => {
      now += 191;
      await beat();
      now += 191;
      return (await sent(() => store.fetch(leases, 5_000, 10))) > 0 ? true : undefined;
    });
    await other.append([entry()]);
    now += 191;

    expect(await inputKeys()).toEqual(["dm:1"]);
  });
});

/** Sends heartbeats until notifications arrive: that of the latest heartbeat, too, which was sent before the last one. */
async function untilNotified(): Promise<void> {
  now += 1_001;
  await when(async () => {
    await beat();
    now += 300;
    return (await sent(() => store.fetch(leases, 5_000, 10))) === 0 ? true : undefined;
  });
  await beat();
  await otherBeat();
  for (const since of [1, undefined]) await newsAfter(() => other.setPause({ since }));
  await beat();
}

/** Waits for news of the store after `work`. */
async function newsAfter(work: () => Promise<unknown>): Promise<void> {
  let isNews = false;
  const stop = store.onNews?.(() => (isNews = true));
  await work();
  await when(() => (isNews ? true : undefined));
  stop?.();
}
