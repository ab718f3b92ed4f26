import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AccountEvent } from "../../../src/events/event.ts";
import { openJournal } from "../../../src/runtime/journal/journal.ts";
import { openLog } from "../../../src/runtime/log.ts";
import type { Decider } from "../../../src/runtime/runs/decide-entry.ts";
import { startWorker } from "../../../src/runtime/runs/worker.ts";
import { openStore } from "../../../src/runtime/store/open.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
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

const nothing = { decision: {}, runs: [], actions: [] };
const log = openLog({ level: "silent" });

/** A worker that decides with `decide` on messages of @ana and @ben, given as [person, text]. */
async function working(
  messages: readonly (readonly ["ana" | "ben", string])[],
  decide: (text: string, event: AccountEvent) => ReturnType<Decider>,
  over: { readonly stopGraceMs?: number } = {},
) {
  const journal = openJournal({ store, clock, onAppended: () => {} });
  for (const [i, [person, text]] of messages.entries()) {
    const body = wire.message({ id: String(i + 1), from: person === "ana" ? "200" : "300", text });
    await journal.append(body, JSON.stringify(body), "webhook");
  }
  const leases = await store.lease("me", 60_000);
  return startWorker({
    name: "me",
    store,
    clock,
    log,
    leases: () => leases,
    decide: (event) => decide(event.kind === "message" ? event.message.text : "", event),
    onQueued: () => {},
    ...over,
  });
}

const empty = (): Promise<true> =>
  when(async () => ((await store.stats()).inbox === 0 ? true : undefined));

describe("the worker", () => {
  it("decides on a lane's entries in the order in which they came", async () => {
    const seen: string[] = [];
    const worker = await working(
      [
        ["ana", "one"],
        ["ana", "two"],
        ["ana", "three"],
      ],
      async (text) => {
        seen.push(text);
        return nothing;
      },
    );
    await empty();
    await worker.stop();

    expect(seen).toEqual(["one", "two", "three"]);
  });

  it("keeps a failing entry first in its lane until it gets through, and holds up no other lane", async () => {
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
        return nothing;
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

  it("parks an entry that never gets through, says why, and goes on with its lane", async () => {
    const done: string[] = [];
    const worker = await working(
      [
        ["ana", "poison"],
        ["ana", "after it"],
      ],
      async (text) => {
        if (text === "poison") throw new Error("this one is poison");
        done.push(text);
        return nothing;
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
    const [poison] = (await store.journal({ limit: 9 })).filter(({ state }) => state === "parked");
    expect(poison).toMatchObject({ key: "message:1", state: "parked" });
    expect(poison?.decision).toContain("this one is poison");
  });

  it("takes up a long lane part by part without a pause", async () => {
    const messages = Array.from({ length: 200 }, (_, n) => ["ana", String(n)] as const);
    const seen: string[] = [];
    const startedAt = performance.now();
    const worker = await working(messages, async (text) => {
      seen.push(text);
      return nothing;
    });
    await empty();
    await worker.stop();

    expect(seen).toEqual(messages.map(([, text]) => text));
    // Six parts that each waited for the next regular look would take six seconds.
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

  it("stops although a decision never ends, keeps nothing of it, and gives back what was behind it", async () => {
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
        return nothing;
      },
      { stopGraceMs: 50 },
    );
    await when(async () => ((await store.stats()).inbox === 2 ? true : undefined));
    await worker.stop();

    expect(begun).toEqual(["hangs", "elsewhere"]);
    const left = (await store.journal({ limit: 9 })).filter(({ state }) => state === "open");
    expect(left.map(({ key, attempts }) => [key, attempts])).toEqual([
      ["message:2", 0],
      ["message:1", 0],
    ]);
  });

  it("parks an entry whose decision the store can't keep, and says why", async () => {
    const unkeepable: { key: string; value: string } = JSON.parse('{"key": {}, "value": "x"}');
    const worker = await working([["ana", "odd"]], async () => ({
      ...nothing,
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
    expect(odd).toMatchObject({ state: "parked", decision: expect.stringContaining("can't keep") });
  });

  it("keys an action by account, event, rule and step, so that deciding again queues it once", async () => {
    const action = { type: "reply_dm", to: "200", text: "hi" } as const;
    const decide = async (): ReturnType<Decider> => ({
      ...nothing,
      actions: [{ step: "rule:hello/actions[0]", action }],
    });
    const worker = await working([["ana", "one"]], decide);
    await empty();
    await worker.stop();

    const [item] = await store.items({ limit: 9 });
    expect(await store.items({ limit: 9 })).toHaveLength(1);
    expect(item).toMatchObject({
      key: "100|message:1|rule:hello/actions[0]",
      lane: "100/200",
      action,
      status: "pending",
    });
  });
});
