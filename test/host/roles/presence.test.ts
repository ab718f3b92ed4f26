import { afterEach, beforeEach, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import type { ProcessNote } from "../../../src/host/roles/colleague.ts";
import {
  keepPresence,
  type KeptPresence,
  type PresenceNeeds,
} from "../../../src/host/roles/presence.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { postgresPlace } from "../../runtime/store/postgres-place.ts";
import { when } from "../../support/when.ts";

/** Interval of heartbeats that is longer than a test: heartbeats happen only when the test requests them. */
const NEVER_MS = 3_600_000;
const NOTE: ProcessNote = {
  role: "all",
  pid: 1,
  startedAt: "",
  rules: "",
  leases: [],
  isLeaving: false,
};

let place: Awaited<ReturnType<typeof postgresPlace>>;
let store: Store;
const here: KeptPresence[] = [];
/** Number of completed heartbeats of each process. */
const beats = new Map<string, number>();
beforeEach(async () => {
  place = await postgresPlace();
  store = await place.open();
});
afterEach(async () => {
  for (const one of here.splice(0)) await one.stop();
  beats.clear();
  await store.close();
  await place.remove();
});

/** Starts a process, and waits for the two heartbeats that every process sends at its start. */
async function joined(name: string): Promise<KeptPresence> {
  const log = openLog({ level: "silent" });
  const counted: PresenceNeeds["store"] = {
    isShared: true,
    attend: async (...note) => {
      const present = await store.attend(...note);
      beats.set(name, (beats.get(name) ?? 0) + 1);
      return present;
    },
  };
  const one = await keepPresence({
    store: counted,
    name,
    note: () => NOTE,
    log,
    everyMs: NEVER_MS,
  });
  here.push(one);
  await beaten(name, 2);
  return one;
}

const beaten = (name: string, count: number) =>
  when(() => (beats.get(name) === count ? true : undefined));

it("a single process does not wait until others notice it", async () => {
  const alone = await joined("first");

  await alone.otherReports();

  expect(alone.all().map(({ name }) => name)).toEqual(["first"]);
});

it("a process that has joined meanwhile is waited for", async () => {
  const first = await joined("first");
  const second = await joined("second");
  let isHeard = false;
  const heard = first.otherReports().then(() => (isHeard = true));

  // The third heartbeat of the first process reads the row of the second, and the fourth updates its own row.
  await beaten("first", 4);
  await second.look();
  await first.look();
  expect(isHeard).toBe(false);

  await first.look();
  await heard;
  expect(first.all().map(({ name }) => name)).toEqual(["first", "second"]);
});
