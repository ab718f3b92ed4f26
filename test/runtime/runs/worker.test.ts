import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AccountEvent } from "../../../src/events/event.ts";
import { translate } from "../../../src/events/translate.ts";
import { openJournal } from "../../../src/runtime/journal/journal.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { commitBatcher } from "../../../src/runtime/runs/commit-batcher.ts";
import { eventOf } from "../../../src/runtime/runs/entry-event.ts";
import { type Interpretation, NOTHING } from "../../../src/runtime/runs/lane-event.ts";
import { newPlace, placeOf, storedAs, writeAt } from "../../../src/runtime/runs/run-place.ts";
import { RunWorker, type WorkerNeeds } from "../../../src/runtime/runs/worker.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import { openStore } from "../../../src/runtime/store/open.ts";
import type { NewEntry } from "../../../src/runtime/store/entry.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { StateWrite } from "../../../src/runtime/store/transition.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { heldLeases } from "../../support/held-leases.ts";
import { when } from "../../support/when.ts";
import * as wire from "../../support/wire.ts";

let folder: string;
let store: Store;
let clock: HandClock;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "worker-"));
  store = await openStore(`file:${folder}`);
  clock = handClock();
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const log = openLog({ level: "silent" });

/**
 * Appends messages of @ana and @ben, as [person, text] pairs, and creates a worker that processes them with
 * `interpret`.
 */
async function working(
  messages: readonly (readonly ["ana" | "ben", string])[],
  interpret: (text: string, event: AccountEvent) => Promise<Interpretation>,
  over: Partial<Pick<WorkerNeeds, "stopGraceMs" | "store" | "isPaused">> = {},
) {
  const journal = openJournal({ store, clock, onAppended: () => {}, onRevoked: async () => {} });
  for (const [i, [person, text]] of messages.entries()) {
    const body = wire.message({ id: String(i + 1), from: person === "ana" ? "200" : "300", text });
    await journal.append(body, JSON.stringify(body), "webhook");
  }
  const leases = await store.lease("me", 60_000);
  return new RunWorker({
    store,
    commit: commitBatcher(store, "me"),
    clock,
    log,
    leases: heldLeases(leases),
    interpret: async (happened) => {
      if (happened.kind !== "event")
        throw new Error(`nothing of kind ${happened.kind} was expected`);
      const event = eventOf(happened.entry);
      return interpret(event.kind === "message" ? event.message.text : "", event);
    },
    performer: {
      handle: () => Promise.reject(new Error("no bot was expected to be called")),
      call: () => Promise.reject(new Error("no module was expected to be called")),
      request: () => Promise.reject(new Error("no service was expected to be asked")),
    },
    ...over,
  });
}

const empty = (): Promise<true> =>
  when(async () => ((await store.stats()).inbox === 0 ? true : undefined));

/** Returns the store with a count of its fetches. */
function withCountedFetches() {
  let fetches = 0;
  const counted: WorkerNeeds["store"] = {
    fetch(...query) {
      fetches += 1;
      return store.fetch(...query);
    },
    openRuns: (...query) => store.openRuns(...query),
    listeners: (lane) => store.listeners(lane),
    silences: (lane) => store.silences(lane),
    load: (keys) => store.load(keys),
    slots: (names) => store.slots(names),
    runsOf: (seq) => store.runsOf(seq),
    items: (query) => store.items(query),
  };
  return { counted, fetches: () => fetches };
}

describe("entries that have just arrived", () => {
  const seen: string[] = [];
  beforeEach(() => {
    seen.length = 0;
    // With fake timers no regular poll happens, so the entries are found only by being announced.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => vi.useRealTimers());

  const arriving = async (over: Parameters<typeof working>[2] = {}) => {
    const { counted, fetches } = withCountedFetches();
    const interpret = async (text: string) => {
      seen.push(text);
      return NOTHING;
    };
    const worker = await working([["ana", "first"]], interpret, { store: counted, ...over });
    await empty();
    await when(async () => (worker.status().inputs === 0 ? true : undefined));
    /** Appends messages in one call and passes them to the worker. */
    const arrive = async (...texts: readonly string[]): Promise<void> => {
      const entries = texts.map((text) => entryOf(text));
      worker.arrived(entries, await store.append(entries));
    };
    return { worker, arrive, fetches, before: fetches() };
  };
  const entryOf = (text: string): NewEntry => {
    const message = wire.message({ id: text, from: "200", text });
    const [translated] = translate(message, 0);
    if (translated === undefined) throw new Error("there is no event");
    const { event, body } = translated;
    const { key, accountId: account, lane, kind, at } = event;
    const arrivedAt = clock.now();
    const stored = JSON.stringify(body);
    return { key, account, lane, kind, at, arrivedAt, source: "webhook", body: stored };
  };

  it("are decided without a fetch", async () => {
    const { worker, arrive, fetches, before } = await arriving();
    await arrive("second");
    await empty();
    await arrive("third");
    await empty();
    expect(fetches()).toBe(before);
    await worker.stop();

    expect(seen).toEqual(["first", "second", "third"]);
  });

  it("are fetched behind others of their lane, in order, without a wait", async () => {
    const { worker, arrive } = await arriving();
    await arrive("second", "third");
    await arrive("fourth");
    await empty();
    await worker.stop();

    expect(seen).toEqual(["first", "second", "third", "fourth"]);
  });

  it("are decided even if the runs from before a pause can't be read", async () => {
    const { counted } = withCountedFetches();
    let isDamaged = false;
    const openRuns: Store["openRuns"] = (...query) =>
      isDamaged ? Promise.reject(new Error("a run is damaged")) : store.openRuns(...query);
    const { worker, arrive } = await arriving({ store: { ...counted, openRuns } });
    isDamaged = true;
    await expect(worker.resumed()).rejects.toThrow("damaged");
    await arrive("second");
    await empty();
    await worker.stop();

    expect(seen).toEqual(["first", "second"]);
  });

  it("stay in the store while their account is paused", async () => {
    let isPaused = false;
    const { worker, arrive } = await arriving({ isPaused: () => isPaused });
    isPaused = true;
    await arrive("second");
    await worker.stop();

    expect(seen).toEqual(["first"]);
    expect((await store.stats()).inbox).toBe(1);
  });

  it("stay in the store once the worker stops", async () => {
    const { worker, arrive } = await arriving();
    const arrived = arrive("second");
    const stopped = worker.stop();
    await arrived;
    await stopped;

    expect(seen).toEqual(["first"]);
    expect((await store.stats()).inbox).toBe(1);
  });
});

describe("the worker", () => {
  it("decides on a lane's entries in their order of arrival", async () => {
    const seen: string[] = [];
    const worker = await working(
      [
        ["ana", "one"],
        ["ana", "two"],
        ["ana", "three"],
      ],
      async (text) => {
        seen.push(text);
        return NOTHING;
      },
    );
    await empty();
    await worker.stop();

    expect(seen).toEqual(["one", "two", "three"]);
  });

  it("keeps a failing entry first in its lane until it succeeds, and delays no other lane", async () => {
    const done: string[] = [];
    let failures = 0;
    const worker = await working(
      [
        ["ana", "fails twice"],
        ["ana", "after it"],
        ["ben", "elsewhere"],
      ],
      async (text) => {
        if (text === "fails twice" && failures++ < 2) throw new Error("not yet");
        done.push(text);
        return NOTHING;
      },
    );
    await when(() => (done.includes("elsewhere") ? true : undefined));
    expect(done).toEqual(["elsewhere"]);
    for (const wanted of [1, 2]) {
      await when(async () =>
        (await store.journal({ limit: 9 })).some(({ attempts }) => attempts === wanted)
          ? true
          : undefined,
      );
      clock.advance(60_000);
    }
    await empty();
    await worker.stop();

    expect(done).toEqual(["elsewhere", "fails twice", "after it"]);
  });

  it("dead-letters an entry whose decision always fails, with the reason, and continues its lane", async () => {
    const done: string[] = [];
    const worker = await working(
      [
        ["ana", "poison"],
        ["ana", "after it"],
      ],
      async (text) => {
        if (text === "poison") throw new Error("this one is poison");
        done.push(text);
        return NOTHING;
      },
    );
    for (const wanted of [1, 2, 3, 4]) {
      await when(async () =>
        (await store.journal({ limit: 9 })).some(({ attempts }) => attempts === wanted)
          ? true
          : undefined,
      );
      clock.advance(600_000);
    }
    await empty();
    await worker.stop();

    expect(done).toEqual(["after it"]);
    const [poison] = (await store.journal({ limit: 9 })).filter(
      ({ state }) => state === "dead-lettered",
    );
    expect(poison).toMatchObject({ key: "message:1", state: "dead-lettered" });
    expect(poison?.decision).toContain("this one is poison");
  });

  it("reads a long lane part by part without a pause", async () => {
    const messages = Array.from({ length: 200 }, (_, n) => ["ana", String(n)] as const);
    const seen: string[] = [];
    // With fake timers no regular poll happens, so a part that only a poll would find is never processed.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const worker = await working(messages, async (text) => {
      seen.push(text);
      return NOTHING;
    });
    await empty();
    vi.useRealTimers();
    await worker.stop();

    expect(seen).toEqual(messages.map(([, text]) => text));
  });

  it("stops even if a decision never ends, stores nothing of it, and releases the inputs behind it", async () => {
    const begun: string[] = [];
    const worker = await working(
      [
        ["ana", "hangs"],
        ["ana", "after it"],
        ["ben", "elsewhere"],
      ],
      async (text) => {
        begun.push(text);
        if (text === "hangs") await new Promise(() => {});
        return NOTHING;
      },
      { stopGraceMs: 50 },
    );
    await when(async () => ((await store.stats()).inbox === 2 ? true : undefined));
    await worker.stop();

    expect(begun).toEqual(["hangs", "elsewhere"]);
    const openRows = (await store.journal({ limit: 9 })).filter(({ state }) => state === "open");
    expect(openRows.map(({ key, attempts }) => [key, attempts])).toEqual([
      ["message:2", 0],
      ["message:1", 0],
    ]);
  });

  it("dead-letters an entry whose decision the store can't hold, with the reason", async () => {
    const unkeepable: StateWrite = JSON.parse('{"key": {}, "value": "x", "version": 0}');
    const worker = await working([["ana", "odd"]], async () => ({
      ...NOTHING,
      state: [unkeepable],
    }));
    for (const wanted of [1, 2, 3, 4]) {
      await when(async () =>
        (await store.journal({ limit: 9 })).some(({ attempts }) => attempts === wanted)
          ? true
          : undefined,
      );
      clock.advance(600_000);
    }
    await empty();
    await worker.stop();

    const [odd] = await store.journal({ limit: 9 });
    expect(odd).toMatchObject({
      state: "dead-lettered",
      decision: expect.stringContaining("can't hold"),
    });
  });
});

describe("a worker whose leases have expired, and are renewed in the same epoch", () => {
  const performer: WorkerNeeds["performer"] = {
    handle: () => Promise.reject(new Error("no bot was expected to be called")),
    call: () => Promise.reject(new Error("no module was expected to be called")),
    request: async () => ({ ok: true, status: 200, text: "" }),
  };
  /** Interprets a message as a run with one request, which ends the run. */
  const asking: WorkerNeeds["interpret"] = async (happened) => {
    const { entry } = happened;
    if (happened.kind === "event") {
      const place = newPlace(entry, "rule:ask", "r1");
      const write = writeAt(place, "ready", "{}");
      const request = { method: "GET", url: "https://a.example", headers: {} } as const;
      const run = storedAs(write, place);
      return {
        ...NOTHING,
        runs: [write],
        effects: [{ kind: "http", request, secrets: [], run, entry }],
      };
    }
    return { ...NOTHING, runs: [writeAt(placeOf(happened.run, entry), "done", "{}")] };
  };
  const append = async (people: readonly string[]): Promise<void> => {
    const journal = openJournal({ store, clock, onAppended: () => {}, onRevoked: async () => {} });
    for (const from of people) {
      const body = wire.message({ id: from, from, text: "hi" });
      await journal.append(body, JSON.stringify(body), "webhook");
    }
  };
  const working = (over: Pick<WorkerNeeds, "leases"> & Partial<WorkerNeeds>) =>
    new RunWorker({
      store,
      commit: commitBatcher(store, "me"),
      clock,
      log,
      interpret: asking,
      performer,
      ...over,
    });
  const done = (): Promise<true> =>
    when(async () => {
      const { inbox, runs } = await store.stats();
      const [last] = await store.journal({ limit: 1 });
      return last?.state === "done" && inbox + runs.ready === 0 ? true : undefined;
    });

  it("stores the outcome of a request that ended meanwhile", async () => {
    await append(["200"]);
    const leases = await store.lease("me", 60_000);
    let held: readonly Lease[] = leases;
    const worker = working({
      leases: { ...heldLeases(leases), held: () => held },
      performer: {
        ...performer,
        request: async (...request) => {
          held = [];
          return performer.request(...request);
        },
      },
    });
    await done();
    await worker.stop();

    expect(held).toEqual([]);
  });

  it("reads their inputs again, although it took another partition meanwhile", async () => {
    const leases = await store.lease("me", 60_000);
    const mine = heldLeases(leases.slice(1));
    let isExpired = true;
    const worker = working({ leases: { ...mine, held: () => (isExpired ? [] : mine.held()) } });
    await mine.take(leases.slice(0, 1));
    isExpired = false;
    await append(["200", "300", "400", "500"]);
    await done();
    await worker.stop();

    expect((await store.stats()).inbox).toBe(0);
  });

  /** Leases that count as expired while `isExpired`. */
  const expiring = async () => {
    const mine = heldLeases(await store.lease("me", 60_000));
    const state = { isExpired: false };
    const leases: WorkerNeeds["leases"] = {
      ...mine,
      held: () => (state.isExpired ? [] : mine.held()),
      async whenValid() {
        await when(() => !state.isExpired || undefined);
        return mine.held();
      },
    };
    return { state, leases };
  };
  /** Interprets like `asking`, and starts the request of a run that stayed in the store. */
  const askingAgain: WorkerNeeds["interpret"] = async (happened) => {
    if (happened.kind !== "run-ready") return asking(happened);
    const { run, entry } = happened;
    const request = { method: "GET", url: "https://a.example", headers: {} } as const;
    return { ...NOTHING, effects: [{ kind: "http", request, secrets: [], run, entry }] };
  };

  it("performs the requests that stayed in the store because a rule had too many", async () => {
    await append(["200", "300"]);
    const { state, leases } = await expiring();
    const worker = working({
      leases,
      interpret: askingAgain,
      effectBounds: { atWork: 1, inHand: 1 },
      performer: {
        ...performer,
        request: async (...request) => {
          state.isExpired = true;
          return performer.request(...request);
        },
      },
    });
    await when(async () => ((await store.stats()).runs.ready === 1 ? true : undefined));
    // The worker reads what stayed in the store meanwhile.
    for (let turn = 0; turn < 20; turn += 1) await store.stats();
    state.isExpired = false;
    await done();
    await worker.stop();

    expect((await store.stats()).runs.ready).toBe(0);
  });

  it("continues the runs of an account whose pause ends meanwhile", async () => {
    await append(["200"]);
    const { state, leases } = await expiring();
    const cut = working({
      leases,
      performer: { ...performer, request: () => new Promise(() => {}) },
      stopGraceMs: 1,
    });
    await when(async () => ((await store.stats()).runs.ready === 1 ? true : undefined));
    await cut.stop();
    let isPaused = true;
    let looks = 0;
    const worker = working({
      leases,
      interpret: askingAgain,
      isPaused: () => {
        looks += 1;
        return isPaused;
      },
    });
    await when(() => looks > 0 || undefined);
    state.isExpired = true;
    isPaused = false;
    const resumed = worker.resumed();
    for (let turn = 0; turn < 20; turn += 1) await store.stats();
    state.isExpired = false;
    await resumed;
    await done();
    await worker.stop();

    expect((await store.stats()).runs.ready).toBe(0);
  });

  it("ends the runs of rules that are changed meanwhile", async () => {
    await append(["200"]);
    const { state, leases } = await expiring();
    const worker = working({
      leases,
      performer: { ...performer, request: () => new Promise(() => {}) },
    });
    await when(async () => ((await store.stats()).runs.ready === 1 ? true : undefined));
    state.isExpired = true;
    const ended = worker.rulesChanged(["ask"]);
    for (let turn = 0; turn < 20; turn += 1) await store.stats();
    state.isExpired = false;
    await ended;
    await worker.stop();

    expect((await store.stats()).runs.ready).toBe(0);
  });

  it("repeats the decision on a request's outcome while the store can't be read", async () => {
    await append(["200"]);
    let failures = 0;
    const worker = working({
      leases: heldLeases(await store.lease("me", 60_000)),
      interpret: async (happened) => {
        if (happened.kind === "effect-settled" && failures++ < 2) {
          throw new StoreError("store-io", "the database server restarts");
        }
        return asking(happened);
      },
    });
    await done();
    await worker.stop();

    expect(failures).toBeGreaterThan(2);
  });
});
