import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Readings, type ReadingsNeeds } from "../../../src/runtime/catchup/readings.ts";
import { openLog } from "../../../src/runtime/log.ts";
import type { Span } from "../../../src/system/spans.ts";
import { world, type World } from "../../client/support/world.ts";
import { handClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";
import { type Lists, openLists } from "./support/lists.ts";

const MINUTE = 60_000;

let here: World;
let reading: Readings;
let duringRead: () => void;
let readTo: number[];
let stuck: string[];
let append: () => Promise<number>;
beforeEach(async () => {
  here = await world();
  duringRead = () => {};
  readTo = [];
  stuck = [];
  append = async () => 1;
  reading = new Readings({
    clientOf: () => {
      duringRead();
      return here.bot;
    },
    append: () => append(),
    clock: handClock(),
    log: openLog({ level: "silent" }),
    onFound: async () => {},
    unlinked: async () => [],
    onRead: (_account, to) => readTo.push(to / MINUTE),
    onStuck: (account) => stuck.push(account),
  });
});
afterEach(async () => {
  await reading.stop();
  await here.close();
});

const unread = (from: number, to: number) =>
  reading
    .unread({ account: here.botId, from: from * MINUTE, to: to * MINUTE })
    .map((span) => [span.from / MINUTE, span.to / MINUTE]);

it("reads the time after a set-back of the clock again", async () => {
  await reading.read({ account: here.botId, from: 10 * MINUTE, to: 30 * MINUTE });
  expect(unread(0, 40)).toEqual([
    [0, 10],
    [30, 40],
  ]);

  reading.setBack(20 * MINUTE);

  expect(unread(0, 40)).toEqual([
    [0, 10],
    [20, 40],
  ]);
});

it("counts a reading in progress only up to the time to which the clock is set back", async () => {
  duringRead = () => reading.setBack(20 * MINUTE);
  await reading.read({ account: here.botId, from: 10 * MINUTE, to: 30 * MINUTE });

  expect(unread(0, 40)).toEqual([
    [0, 10],
    [20, 40],
  ]);
});

it("reads a gap to its end if it is longer than the reading in progress", async () => {
  const first = reading.read({ account: here.botId, from: 10 * MINUTE, to: 30 * MINUTE });
  await reading.read({ account: here.botId, from: 10 * MINUTE, to: 40 * MINUTE });
  await first;

  expect(unread(0, 50)).toEqual([
    [0, 10],
    [40, 50],
  ]);
  expect(readTo).toEqual([30, 40]);
});

it("remembers readings that follow each other as one stretch", async () => {
  for (const from of [10, 20, 30]) {
    await reading.read({ account: here.botId, from: from * MINUTE, to: (from + 10) * MINUTE });
  }

  expect(reading.done(here.botId)).toEqual([{ from: 10 * MINUTE, to: 40 * MINUTE }]);
});

it("reads all gaps together that wait for the reading in progress", async () => {
  const gaps = [30, 31, 32, 33].map((to) => ({
    account: here.botId,
    from: 10 * MINUTE,
    to: to * MINUTE,
  }));
  await Promise.all(gaps.map((gap) => reading.read(gap)));

  expect(unread(0, 50)).toEqual([
    [0, 10],
    [33, 50],
  ]);
  expect(readTo).toEqual([30, 33]);
});

it("reports a failed reading as stuck, so that deliveries wait for it no longer", async () => {
  await here.sandbox.control.act(here.personId, { type: "dm", to: here.botId, text: "missed" });
  append = () => Promise.reject(new Error("the store is gone"));
  await reading.read({ account: here.botId, from: 0, to: Date.now() * 2 });

  expect(stuck).toEqual([here.botId]);
  expect(readTo).toEqual([]);
});

it("does not report a stopped reading as stuck", async () => {
  duringRead = () => void reading.stop();
  await reading.read({ account: here.botId, from: 10 * MINUTE, to: 30 * MINUTE });

  expect(stuck).toEqual([]);
});

describe("a reading of an account's lists", () => {
  const NOON = Date.UTC(2026, 0, 2, 12);
  const at = (minute: number) => NOON + minute * MINUTE;
  const gap = (from: number, to: number) => ({ account: "100", from: at(from), to: at(to) });
  let lists: Lists;
  let appended: string[];
  let reports: string[];
  let unlinked: readonly Span[];

  beforeEach(() => {
    lists = openLists();
    [appended, reports, unlinked] = [[], [], []];
  });

  const readingsWith = (over: Partial<ReadingsNeeds> = {}) =>
    new Readings({
      clientOf: () => lists.client,
      append: async (_delivery, raw) => appended.push(/"id":"(\w+)"/u.exec(raw)?.[1] ?? raw),
      clock: handClock(NOON),
      log: openLog({ level: "silent" }),
      onFound: async () => {},
      unlinked: async () => unlinked,
      onRead: (account, to) => reports.push(`${account} to ${(to - NOON) / MINUTE}`),
      onStuck: (account) => reports.push(`${account} stuck`),
      ...over,
    });

  it("includes a minute before and after the gap, unless it is exact", async () => {
    lists.messages = [
      { id: "4", at: at(1) },
      { id: "3", at: at(1) - 1 },
      { id: "2", at: at(-11) },
      { id: "1", at: at(-11) - 1 },
    ];
    await readingsWith().read(gap(-10, 0));
    expect(appended).toEqual(["2", "3"]);
    expect(reports).toEqual(["100 to 0"]);

    appended = [];
    await readingsWith().read({ ...gap(-11, 1), isExact: true });
    expect(appended).toEqual(["2", "3"]);
  });

  it("leaves out the time in which the account was not linked, also in its margins", async () => {
    unlinked = [
      { from: at(-7), to: at(-4) },
      { from: at(0), to: Infinity },
    ];
    lists.messages = [
      { id: "5", at: at(0) },
      { id: "4", at: at(0) - 1 },
      { id: "3", at: at(-4) },
      { id: "2", at: at(-7) },
      { id: "1", at: at(-11) },
    ];
    await readingsWith().read(gap(-10, 0));
    expect(appended).toEqual(["1", "3", "4"]);

    // The time since the link began is read, although the ledger expects deliveries only some seconds later.
    appended = [];
    await readingsWith().read({ ...gap(-7, 1), isExact: true });
    expect(appended).toEqual(["2", "3", "4", "5"]);
  });

  it("is under way for its account until it has ended, and what it read is remembered", async () => {
    let ends = (): void => {};
    const held = new Promise<void>((resolve) => (ends = resolve));
    const readings = readingsWith({ onFound: () => held });
    expect([readings.busy(), readings.busy("100")]).toEqual([false, false]);
    const done = readings.read(gap(-10, 0));
    expect([readings.busy(), readings.busy("100"), readings.busy("101")]).toEqual([
      true,
      true,
      false,
    ]);
    ends();
    await done;
    await readings.read(gap(5, 10));

    expect([readings.busy(), readings.busy("100")]).toEqual([false, false]);
    expect(readings.done("101")).toEqual([]);
    expect(readings.unread(gap(-20, 20))).toEqual([
      { from: at(-20), to: at(-10) },
      { from: at(0), to: at(5) },
      { from: at(10), to: at(20) },
    ]);
  });

  it("leaves a refused stretch unread, and reads it again with the time after it", async () => {
    lists.messages = [
      { id: "3", at: at(60) },
      { id: "1", at: at(5) },
    ];
    lists.fails = () => ({ status: 401 });
    const readings = readingsWith();
    await readings.read(gap(0, 30));
    expect(readings.done("100")).toEqual([]);
    // Until the account is linked again, the same refusal is expected.
    expect(readings.unread(gap(0, 30))).toEqual([]);

    lists.fails = () => undefined;
    const unreadSpans = readings.unread(gap(0, 90));
    expect(unreadSpans).toEqual([{ from: at(0), to: at(90) }]);
    for (const span of unreadSpans) await readings.read({ account: "100", ...span });
    expect(appended).toEqual(["1", "3"]);
    expect(readings.unread(gap(0, 90))).toEqual([]);
  });

  it("has a refused stretch unread once the account is linked again", async () => {
    lists.fails = (list) => (list === "mentions" ? { status: 403 } : undefined);
    const readings = readingsWith();
    await readings.read(gap(0, 30));
    lists.fails = () => undefined;
    await readings.read(gap(60, 90));
    expect(readings.unread(gap(0, 30))).toEqual([]);

    readings.linkedAgain("100");
    expect(readings.unread(gap(0, 90))).toEqual([{ from: at(0), to: at(60) }]);
  });

  it("has a stretch unread whose old tokens were refused when the account was linked again", async () => {
    const readings = readingsWith();
    lists.fails = () => {
      readings.linkedAgain("100");
      return { status: 401 };
    };
    await readings.read(gap(0, 30));

    expect(readings.unread(gap(0, 30))).toEqual([{ from: at(0), to: at(30) }]);
  });

  it("remembers for each stretch which list the platform refused, until it can be read", async () => {
    const readings = readingsWith();
    const refusedKinds = (from: number, to: number) => Object.keys(readings.refused(gap(from, to)));
    lists.fails = (list) => (list === "messages" ? { status: 403 } : undefined);
    await readings.read(gap(-10, 0));
    lists.fails = () => undefined;
    await readings.read(gap(0, 10));
    expect([refusedKinds(-20, 5), refusedKinds(0, 10)]).toEqual([["messages"], []]);
    await readings.read(gap(-5, 0));

    expect([refusedKinds(-10, 0), refusedKinds(-5, 0)]).toEqual([["messages"], []]);
  });

  it("is not repeated if there are more messages than are read", async () => {
    lists.pageSize = 1;
    lists.messages = Array.from({ length: 101 }, (_, n) => ({ id: `${n}`, at: at(20) }));
    const readings = readingsWith();
    await readings.read(gap(0, 30));
    readings.linkedAgain("100");

    expect(readings.unread(gap(0, 30))).toEqual([]);
    expect(Object.keys(readings.refused(gap(0, 30)))).toEqual(["messages"]);
  });

  it("is reported as stuck without a client, and is not remembered", async () => {
    const readings = readingsWith({ clientOf: () => undefined });
    await readings.read(gap(-10, 0));

    expect(reports).toEqual(["100 stuck"]);
    expect(readings.done("100")).toEqual([]);
    expect(readings.busy()).toBe(false);
  });

  it("does not begin after the stop, which waits for the reading under way", async () => {
    let ends = (): void => {};
    const held = new Promise<void>((resolve) => (ends = resolve));
    let begun = 0;
    const readings = readingsWith({
      clientOf() {
        begun += 1;
        return lists.client;
      },
      onFound: () => held,
    });
    const both = [readings.read(gap(-10, 0)), readings.read(gap(-10, 10))];
    await when(() => (lists.requests.length === 2 ? true : undefined));
    let isStopped = false;
    const stopped = readings.stop().then(() => (isStopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(false);
    ends();
    await Promise.all([...both, stopped]);

    expect(begun).toBe(1);
    expect(readings.busy()).toBe(false);
  });
});
