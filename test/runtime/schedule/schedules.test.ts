import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compileRules } from "../../../src/rules/compile/compile-rules.ts";
import type { ScheduledAccount } from "../../../src/rules/schedule/scheduled-rules.ts";
import { openJournal } from "../../../src/runtime/journal/journal.ts";
import { type Schedules, startSchedules } from "../../../src/runtime/schedule/schedules.ts";
import { openMemoryStore } from "../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { eventOf } from "../../../src/runtime/runs/entry-event.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Monday, half past eight. */
const START = Date.UTC(2026, 0, 5, 8, 30);
const NINE = START + HOUR / 2;

const daily = (cron = "0 9 * * *", more = "") => `version: 1
rules:
  - id: morning
    triggers: [{trigger: schedule, cron: "${cron}", zone: UTC}]
    ${more}
    actions: [{create_post: Good morning}]
`;
const NO_SCHEDULE = `version: 1
rules: [{id: faq, triggers: [dm.received], actions: [{reply_dm: hi}]}]
`;

const ANA: ScheduledAccount = { id: "100", username: "ana_bot" };
const BEN: ScheduledAccount = { id: "200", username: "Ben_bot" };

let store: Store;
let now: number;
beforeEach(() => {
  store = openMemoryStore();
  now = START;
});
afterEach(() => store.close());

interface Process {
  rules?: string;
  readonly accounts?: readonly ScheduledAccount[];
  /** Set if jumps of the clock are corrections by the platform's time. */
  readonly jumpsAreCorrections?: true;
  /** Whether the clock is being moved step by step. */
  readonly isMoving?: () => boolean;
  /** Called before each write; an error that it throws is a disk fault. */
  readonly disk?: (what: "append" | "memory") => void;
}

/** Starts the schedules of a process; its clock is the one that the tests move. */
function live(
  parts: Process = {},
): Schedules & { jump(ms: number): void; rules(text: string): void } {
  const jumps = new Set<() => void>();
  const clock = {
    now: () => now,
    ...(parts.jumpsAreCorrections && { jumpsAreCorrections: parts.jumpsAreCorrections }),
    ...(parts.isMoving && { isMoving: parts.isMoving }),
    onJump(listener: () => void) {
      jumps.add(listener);
      return () => void jumps.delete(listener);
    },
  };
  let { ruleset } = compileRules(parts.rules ?? daily());
  const journal = openJournal({
    store,
    clock,
    onAppended: () => {},
    onRevoked: async () => {},
  });
  const nothing = (): void => {};
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => log };
  const schedules = startSchedules({
    ruleset: () => ruleset,
    accounts: () => parts.accounts ?? [ANA],
    keepAs: (source) => async (delivery, raw) => {
      parts.disk?.("append");
      return journal.append(delivery, raw, source);
    },
    memory: {
      getMeta: (name) => store.getMeta(name),
      setMeta: async (name, value) => {
        parts.disk?.("memory");
        await store.setMeta(name, value);
      },
    },
    clock,
    log,
  });
  return {
    ...schedules,
    jump(ms) {
      now += ms;
      for (const listener of jumps) listener();
    },
    rules(text) {
      ({ ruleset } = compileRules(text));
      schedules.wake();
    },
  };
}

/** Starts a process that checks the schedules once and ends. */
async function lookOnce(parts: Process = {}): Promise<void> {
  await live(parts).stop();
}

/** Describes the schedule events of the journal, oldest first. */
async function storedEvents(): Promise<string[]> {
  const rows = await store.journal({ limit: 100 });
  return rows.toReversed().map((row) => {
    const event = eventOf(row);
    const rule = event.kind === "schedule" ? event.schedule.rule : event.kind;
    return `${row.account} ${rule} ${new Date(row.at).toISOString().slice(5, 16)} ${row.source}`;
  });
}

describe("a moment of a schedule", () => {
  it("is stored in the journal when it is due, once for each account", async () => {
    const accounts = [ANA, BEN];
    await lookOnce({ accounts });
    now = NINE - 1;
    await lookOnce({ accounts });
    const before = await storedEvents();
    now = NINE;
    await lookOnce({ accounts });
    await lookOnce({ accounts });

    expect(before).toEqual([]);
    expect(await storedEvents()).toEqual([
      "100 morning 01-05T09:00 schedule",
      "200 morning 01-05T09:00 schedule",
    ]);
  });

  it("is stored only for the account that the rule names", async () => {
    const parts = { accounts: [ANA, BEN], rules: daily("0 9 * * *", "account: ben_bot") };
    await lookOnce(parts);
    now = NINE;
    await lookOnce(parts);

    expect(await storedEvents()).toEqual(["200 morning 01-05T09:00 schedule"]);
  });

  it("is not stored if it was before the rule", async () => {
    now = NINE + 60_000;
    await lookOnce();
    await lookOnce();

    expect(await storedEvents()).toEqual([]);
  });

  it("is stored by a timer, without a wake-up call", async () => {
    now = NINE - 20;
    let onAppend = (): void => {};
    const appended = new Promise<void>((resolve) => (onAppend = resolve));
    const process = live({ disk: (what) => what === "append" && onAppend() });
    await settled(process);
    now = NINE;
    await appended;
    await process.stop();

    expect(await storedEvents()).toEqual(["100 morning 01-05T09:00 schedule"]);
  });
});

describe("the catch-up of missed moments", () => {
  it("stores only the latest moment, as a late one", async () => {
    await lookOnce();
    now = NINE + 3 * DAY + HOUR;
    await lookOnce();
    await lookOnce();

    expect(await storedEvents()).toEqual(["100 morning 01-08T09:00 backfill"]);
  });

  it("stores only the latest moment of a schedule in days, too", async () => {
    const rules = daily().replace(
      'cron: "0 9 * * *"',
      'every: 2 days, from: 2026-01-05, at: "09:00"',
    );
    await lookOnce({ rules });
    now = NINE + 5 * DAY + HOUR;
    await lookOnce({ rules });
    await lookOnce({ rules });
    now = NINE + 6 * DAY;
    await lookOnce({ rules });

    expect(await storedEvents()).toEqual([
      "100 morning 01-09T09:00 backfill",
      "100 morning 01-11T09:00 schedule",
    ]);
  });

  it("stores a moment once even if the process ends before it has recorded that", async () => {
    await lookOnce();
    now = NINE;
    let isCut = true;
    const dying = live({
      disk: (what) => {
        if (isCut && what === "memory") throw new Error("the process ended");
      },
    });
    await dying.stop();
    isCut = false;
    now += HOUR;
    await lookOnce();

    expect(await storedEvents()).toEqual(["100 morning 01-05T09:00 schedule"]);
  });

  it("stores the moment when the disk accepts writes again", async () => {
    await lookOnce();
    now = NINE;
    let isFull = true;
    const process = live({
      disk: () => {
        if (isFull) throw new Error("disk full");
      },
    });
    await process.stop();
    const before = await storedEvents();
    isFull = false;
    await lookOnce();

    expect(before).toEqual([]);
    expect(await storedEvents()).toEqual(["100 morning 01-05T09:00 schedule"]);
  });
});

describe("two processes that share a store", () => {
  it("store a moment once", async () => {
    const [one, other] = [live(), live()];
    await settled(one);
    await settled(other);
    now = NINE;
    one.wake();
    other.wake();
    await Promise.all([one.stop(), other.stop()]);
    await lookOnce();

    expect(await storedEvents()).toEqual(["100 morning 01-05T09:00 schedule"]);
  });
});

describe("a clock", () => {
  it("repeats no moment after a set-back", async () => {
    await lookOnce();
    now = NINE;
    await lookOnce();
    now = START;
    await lookOnce();
    now = NINE;
    await lookOnce();
    now = NINE + DAY;
    await lookOnce();

    expect(await storedEvents()).toEqual([
      "100 morning 01-05T09:00 schedule",
      "100 morning 01-06T09:00 schedule",
    ]);
  });

  it("brings the latest moment, as if it were due now, when it is moved by hand", async () => {
    const process = live();
    await settled(process);
    process.jump(2 * DAY + 5 * HOUR);
    await process.stop();

    expect(await storedEvents()).toEqual(["100 morning 01-07T09:00 schedule"]);
    const [row] = await store.journal({ limit: 1 });
    expect(row && eventOf(row)).toMatchObject({ at: NINE + 2 * DAY, passedByHand: true });
  });

  it("misses no moment while it is moved by hand, step by step", async () => {
    let isMoving = false;
    const process = live({ isMoving: () => isMoving });
    await settled(process);
    isMoving = true;
    process.jump(0);
    for (let day = 1; day <= 2; day += 1) {
      now += DAY;
      process.wake();
      await settled(process);
    }
    isMoving = false;
    process.jump(0);
    await process.stop();

    expect(await storedEvents()).toEqual([
      "100 morning 01-05T09:00 schedule",
      "100 morning 01-06T09:00 schedule",
    ]);
  });
});

describe("a correction of the clock", () => {
  it("makes the moments that it passes missed ones: the machine was suspended meanwhile", async () => {
    const process = live({ jumpsAreCorrections: true });
    await settled(process);
    process.jump(5 * HOUR);
    await process.stop();

    expect(await storedEvents()).toEqual(["100 morning 01-05T09:00 backfill"]);
    const [row] = await store.journal({ limit: 1 });
    expect(row && eventOf(row)).toMatchObject({ passedByHand: false });
  });
});

describe("a rule that is changed", () => {
  it("uses its new schedule at once", async () => {
    const process = live();
    await settled(process);
    now = NINE - 60_000;
    process.rules(daily("0 8,10 * * *"));
    await settled(process);
    now = NINE + HOUR;
    process.wake();
    await process.stop();

    expect(await storedEvents()).toEqual(["100 morning 01-05T10:00 schedule"]);
  });

  it("keeps its schedule's progress under another id", async () => {
    await lookOnce();
    now = NINE + 30_000;
    const renamed = daily("0 9 * * *", "formerly: [morning]").replace(
      "id: morning",
      "id: greeting",
    );
    await lookOnce({ rules: renamed });

    expect(await storedEvents()).toEqual(["100 greeting 01-05T09:00 schedule"]);
  });

  it("begins again after an absence", async () => {
    await lookOnce();
    await lookOnce({ rules: daily("0 9 * * *", "enabled: false") });
    now = NINE + 60_000;
    await lookOnce();

    expect(await storedEvents()).toEqual([]);
  });
});

it("reads the store once if no rule has a schedule", async () => {
  const calls: string[] = [];
  const process = live({ rules: NO_SCHEDULE, disk: (what) => calls.push(what) });
  await settled(process);
  now = NINE;
  process.wake();
  await process.stop();

  expect(calls).toEqual([]);
  expect(await store.getMeta("schedule-moments")).toBeUndefined();
});

/** Resolves when the check in progress has ended: the store in memory answers within a turn of the event loop. */
async function settled(process: Schedules): Promise<void> {
  process.wake();
  await new Promise((resolve) => setImmediate(resolve));
}
