import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AccountEvent } from "../../../src/events/event.ts";
import { openJournal } from "../../../src/runtime/journal/journal.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { commitBatcher } from "../../../src/runtime/runs/commit-batcher.ts";
import { eventOf } from "../../../src/runtime/runs/entry-event.ts";
import { type Interpretation, NOTHING } from "../../../src/runtime/runs/lane-event.ts";
import { RunWorker } from "../../../src/runtime/runs/worker.ts";
import { openStore } from "../../../src/runtime/store/open.ts";
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

/** Creates a worker that processes messages of @ana and @ben, as [person, text] pairs, with `interpret`. */
async function working(
  messages: readonly (readonly ["ana" | "ben", string])[],
  interpret: (text: string, event: AccountEvent) => Promise<Interpretation>,
  over: { readonly stopGraceMs?: number } = {},
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
    // With fake timers, no regular poll happens: work that waits for one would wait forever.
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
