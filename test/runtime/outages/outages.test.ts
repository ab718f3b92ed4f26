import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJournal } from "../../../src/runtime/journal/journal.ts";
import { followOutages, type LinkChange } from "../../../src/runtime/outages/outages.ts";
import { eventOf } from "../../../src/runtime/runs/entry-event.ts";
import { openMemoryStore } from "../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../src/runtime/store/store.ts";

const START = Date.UTC(2026, 0, 5, 9);
const MINUTE = 60_000;

let store: Store;
let now: number;
beforeEach(() => {
  store = openMemoryStore();
  now = START;
});
afterEach(() => store.close());

interface Process {
  /** Accounts that were unlinked. */
  readonly gone?: readonly string[];
  /** Called before each write; an error that it throws is a disk fault. */
  readonly disk?: (what: "append" | "memory") => void;
}

/** Starts a process that records outages of the webhook link. At first the link is not set up. */
function live({ gone = [], disk }: Process = {}) {
  let tell = (_: LinkChange): void => {};
  let fail = (_: string): void => {};
  const clock = { now: () => now, onJump: () => () => {} };
  const journal = openJournal({ store, clock, onAppended: () => {}, onRevoked: async () => {} });
  const nothing = (): void => {};
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => log };
  const outages = followOutages({
    onReachable(listener) {
      tell = listener;
      down("the webhook is not set up yet");
      return nothing;
    },
    onFailed(listener) {
      fail = listener;
      return nothing;
    },
    isServed: (id) => !gone.includes(id),
    async append(delivery, raw) {
      disk?.("append");
      return journal.append(delivery, raw, "link");
    },
    memory: {
      getMeta: (name) => store.getMeta(name),
      async setMeta(name, value) {
        disk?.("memory");
        await store.setMeta(name, value);
      },
    },
    clock,
    log,
    failsForMs: 0,
  });
  function down(reason: string, since = now): void {
    tell({ account: "100", reachable: false, since, reason });
  }
  return {
    up: () => tell({ account: "100", reachable: true, since: now }),
    down,
    fails: (reason: string) => fail(reason),
    end: () => outages.stop(),
  };
}

/** Describes the journal's events, oldest first. */
async function storedEvents(): Promise<string[]> {
  const rows = await store.journal({ limit: 100 });
  return rows.toReversed().map((row) => {
    const event = eventOf(row);
    if (event.kind !== "link_lost" && event.kind !== "link_restored") return event.kind;
    const since = new Date(event.link.since).toISOString().slice(11, 16);
    return `${event.triggers.join()} since ${since}: ${event.link.reason}`;
  });
}

describe("an outage of the link", () => {
  it("is reported once when it begins and once when it ends, with its reason and duration", async () => {
    const process = live();
    process.up();
    now += 10 * MINUTE;
    process.down("status 503", START + 8 * MINUTE);
    process.down("no answer");
    now += 20 * MINUTE;
    process.up();
    process.up();
    await process.end();

    expect(await storedEvents()).toEqual([
      "link.lost since 09:08: status 503",
      "link.restored since 09:08: status 503",
    ]);
    const [row] = await store.journal({ limit: 1 });
    expect(row && eventOf(row)).toMatchObject({ at: START + 30 * MINUTE });
  });

  it("goes on over a restart: it is one, and ends once", async () => {
    const first = live();
    first.up();
    first.down("status 503");
    await first.end();
    now += MINUTE;
    const second = live();
    second.fails("status 503");
    await second.end();
    now += MINUTE;
    const third = live();
    third.up();
    await third.end();

    expect(await storedEvents()).toEqual([
      "link.lost since 09:00: status 503",
      "link.restored since 09:00: status 503",
    ]);
  });

  it("that was there at the start is told once it lasts", async () => {
    const first = live();
    first.up();
    await first.end();
    now += MINUTE;
    const second = live();
    second.fails("status 503");
    await second.end();

    expect(await storedEvents()).toEqual(["link.lost since 09:01: status 503"]);
  });

  it("is reported by the next process if the first one ended before", async () => {
    const first = live({
      disk: (what) => {
        if (what === "append") throw new Error("the process ended");
      },
    });
    first.up();
    first.down("status 503");
    await first.end();
    const before = await storedEvents();
    await live().end();

    expect(before).toEqual([]);
    expect(await storedEvents()).toEqual(["link.lost since 09:00: status 503"]);
  });

  it("is reported once if two processes notice it", async () => {
    const [one, other] = [live(), live()];
    one.up();
    other.up();
    one.down("status 503", START);
    other.down("no answer", START);
    one.up();
    other.up();
    await Promise.all([one.end(), other.end()]);

    expect((await storedEvents()).map((text) => text.split(" ")[0])).toEqual([
      "link.lost",
      "link.restored",
    ]);
  });

  it("is followed by another one with a separate key", async () => {
    const process = live();
    process.up();
    process.down("one");
    process.up();
    process.down("two");
    await process.end();

    expect(await storedEvents()).toEqual([
      "link.lost since 09:00: one",
      "link.restored since 09:00: one",
      "link.lost since 09:00: two",
    ]);
  });
});

describe("no outage is reported", () => {
  it("for a start, or a link that was never established", async () => {
    const process = live();
    process.fails("wrong url");
    await process.end();
    const other = live();
    other.up();
    await other.end();

    expect(await storedEvents()).toEqual([]);
  });

  it("for the end of an account", async () => {
    const process = live({ gone: ["100"] });
    process.up();
    process.down("unlinked");
    await process.end();

    expect(await storedEvents()).toEqual([]);
  });
});
