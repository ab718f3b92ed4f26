import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  BY_MESSAGES,
  type InstanceEvidence,
  openOtherInstances,
  type OtherInstances,
} from "../../../src/runtime/instances/other-instances.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { runtimeEvents } from "../../../src/runtime/runtime-events.ts";
import { openMemoryStore } from "../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../src/runtime/store/store.ts";

const EVIDENCE: InstanceEvidence = {
  account: "100",
  id: "webhook:7",
  reason: "it is",
  holdsBack: true,
};
const BY_MESSAGE: InstanceEvidence = { ...EVIDENCE, id: BY_MESSAGES };

let store: Store;
/** Write that fails the next time. */
let refused: "changeMetas" | "pause" | undefined;
/** Accounts that are paused now. */
let paused: string[];
let reports: object[];
/** Calls of `startRestored`. */
let lookedUp: { account?: string; from?: number; now: number }[];
let now: number;
/** Resumes an account, or all, through the process that was opened last. */
let resume: (account?: string) => Promise<void>;
beforeEach(() => {
  store = openMemoryStore();
  refused = undefined;
  paused = [];
  reports = [];
  lookedUp = [];
  now = 1_000;
});
afterEach(() => store.close());

function refuse(write: typeof refused): void {
  if (refused !== write) return;
  refused = undefined;
  throw new Error(`no ${write}`);
}

/** Opens the instances of one process. All processes share the store. */
async function open(): Promise<OtherInstances> {
  const events = runtimeEvents({ now: () => now, onListenerError: () => {} });
  events.on("other-instance", ({ data }) => reports.push(data));
  return openOtherInstances({
    store: {
      getMeta: (name) => store.getMeta(name),
      async changeMetas(changes) {
        refuse("changeMetas");
        return store.changeMetas(changes);
      },
      startRestored: async (at, _holdMs, elsewhere) => lookedUp.push({ ...elsewhere, now: at }),
    },
    pausing: {
      isPaused: (account) => paused.includes(account),
      async pause(account) {
        refuse("pause");
        if (paused.includes(account)) return false;
        return paused.push(account) > 0;
      },
      beforeResume(listener) {
        resume = async (account) => {
          await listener(account);
          paused = paused.filter((one) => account !== undefined && account !== one);
        };
      },
    },
    usernameOf: () => "hello_bot",
    events,
    clock: { now: () => now },
    log: openLog({ level: "silent" }),
    holdMs: 600_000,
    monotonic: () => now,
  });
}

it("evidence is reported once, and pauses the account of the later instance", async () => {
  const others = await open();
  await others.noticed(EVIDENCE);
  await others.noticed(EVIDENCE);
  expect(paused).toEqual(["100"]);
  expect(reports).toEqual([{ account: "100", reason: "it is", holdsBack: true }]);
  expect(await others.list()).toEqual([{ ...EVIDENCE, since: 1_000 }]);
  expect(["100", "200"].map((account) => others.isHeldBack(account))).toEqual([true, false]);
});

it("the earlier instance continues, and shows the other one for ten minutes after the last sign", async () => {
  const others = await open();
  await others.noticed({ ...EVIDENCE, holdsBack: false });
  expect(paused).toEqual([]);
  now += 600_000;
  expect(await others.list()).toHaveLength(1);
  expect(others.isHeldBack("100")).toBe(false);
  now += 1;
  expect(await others.list()).toEqual([]);
});

it("a restart keeps the evidence that paused an account", async () => {
  await (await open()).noticed(EVIDENCE);
  const others = await open();
  expect(others.isHeldBack("100")).toBe(true);
  expect(await others.list()).toEqual([{ ...EVIDENCE, since: 1_000 }]);
});

it.each(["changeMetas", "pause"] as const)(
  "repeated evidence pauses the account if the store has refused the first %s",
  async (write) => {
    const others = await open();
    refused = write;
    await expect(others.noticed(EVIDENCE)).rejects.toThrow(`no ${write}`);
    expect((await others.list()).filter(({ holdsBack }) => holdsBack)).toEqual([]);
    expect([paused, reports]).toEqual([[], []]);
    await others.noticed(EVIDENCE);
    await others.noticed(EVIDENCE);

    expect(paused).toEqual(["100"]);
    expect(reports).toEqual([{ account: "100", reason: "it is", holdsBack: true }]);
    expect(await others.list()).toEqual([{ ...EVIDENCE, since: 1_000 }]);
  },
);

it("an account that was resumed in the moment of the evidence is paused by the next evidence", async () => {
  const others = await open();
  await others.noticed(BY_MESSAGE);
  paused = [];
  expect(others.isHeldBack("100")).toBe(false);
  expect(await others.list()).toMatchObject([{ holdsBack: false }]);
  await others.noticed(BY_MESSAGE);

  expect(paused).toEqual(["100"]);
  expect(reports).toHaveLength(2);
});

describe("resuming", () => {
  it("first looks up messages sent meanwhile, and ignores those that the operator has seen", async () => {
    const others = await open();
    await others.noticed(EVIDENCE);
    now = 5_000;
    await resume("200");
    expect(lookedUp).toEqual([]);

    await resume("100");
    expect(lookedUp).toEqual([{ account: "100", from: 1_000, now: 5_000 }]);
    expect(await others.list()).toEqual([]);
    await others.noticed(EVIDENCE);
    expect(paused).toEqual([]);
    expect(await others.list()).toEqual([]);
  });

  it("looks up the answers of each account that another instance answered for", async () => {
    const others = await open();
    await others.noticed({ ...EVIDENCE, account: "200" });
    now = 2_000;
    await others.noticed(EVIDENCE);
    await others.noticed({ ...EVIDENCE, id: "instance:7", account: "200" });
    await others.noticed({ ...EVIDENCE, account: "300", holdsBack: false });
    now = 5_000;
    await resume();

    expect(lookedUp).toEqual([
      { account: "200", from: 1_000, now: 5_000 },
      { account: "100", from: 2_000, now: 5_000 },
    ]);
  });

  it("accepts the evidence for the resumed account, and not for others", async () => {
    const others = await open();
    await others.noticed(EVIDENCE);
    await resume("100");
    await others.noticed({ ...EVIDENCE, account: "200" });

    expect(paused).toEqual(["200"]);
  });

  it("is followed by a pause if another instance sends further messages", async () => {
    const others = await open();
    await others.noticed(BY_MESSAGE);
    await resume();
    expect(paused).toEqual([]);
    await others.noticed(BY_MESSAGE);
    expect(paused).toEqual(["100"]);
  });

  it("keeps the record of an instance that is noticed meanwhile", async () => {
    const others = await open();
    await others.noticed(EVIDENCE);
    const resuming = resume("100");
    const second = { ...EVIDENCE, account: "200", id: "webhook:8" };
    await others.noticed(second);
    await resuming;

    expect(await (await open()).list()).toEqual([{ ...second, since: 1_000 }]);
  });

  it("accepts evidence that an earlier version stored as accepted", async () => {
    await store.setMeta("other-instances", JSON.stringify({ held: [], accepted: ["webhook:7"] }));
    const others = await open();
    await others.noticed(EVIDENCE);

    expect(paused).toEqual([]);
    expect(await others.list()).toEqual([]);
  });
});

describe("of several processes", () => {
  it.each([
    { what: "its webhook", evidence: EVIDENCE, again: [] },
    { what: "its messages", evidence: BY_MESSAGE, again: ["100"] },
  ])(
    "each may resume an account that another one has paused because of $what",
    async ({ evidence, again }) => {
      const noticing = await open();
      await open();
      await noticing.noticed(evidence);
      now = 5_000;
      await resume("100");

      expect(lookedUp).toEqual([{ account: "100", from: 1_000, now: 5_000 }]);
      expect(await noticing.list()).toEqual([]);
      await noticing.noticed(evidence);
      expect(paused).toEqual(again);
    },
  );

  it("each stores its evidence beside that of the others", async () => {
    const [first, second] = [await open(), await open()];
    const third = { ...EVIDENCE, account: "200" };
    await Promise.all([first.noticed(EVIDENCE), second.noticed(third), second.noticed(EVIDENCE)]);

    const all = [EVIDENCE, third].map((one) => ({ ...one, since: 1_000 }));
    for (const one of [first, second]) {
      expect(await one.list()).toHaveLength(2);
      expect(await one.list()).toEqual(expect.arrayContaining(all));
    }
  });

  it("one no longer lists an instance that has stopped by itself and was accepted in another one", async () => {
    const noticing = await open();
    await open();
    await noticing.noticed(EVIDENCE);
    await noticing.noticed({ ...EVIDENCE, holdsBack: false });
    await resume("100");

    expect(await noticing.list()).toEqual([]);
  });
});
