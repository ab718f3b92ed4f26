import { afterEach, beforeEach, expect, it } from "vitest";
import { Readings } from "../../../src/runtime/catchup/readings.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { world, type World } from "../../client/support/world.ts";
import { handClock } from "../../support/hand-clock.ts";

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
    .unread({ account: "1", from: from * MINUTE, to: to * MINUTE })
    .map((span) => [span.from / MINUTE, span.to / MINUTE]);

it("reads the time after a set-back of the clock again", async () => {
  await reading.read({ account: "1", from: 10 * MINUTE, to: 30 * MINUTE });
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
  await reading.read({ account: "1", from: 10 * MINUTE, to: 30 * MINUTE });

  expect(unread(0, 40)).toEqual([
    [0, 10],
    [20, 40],
  ]);
});

it("reads a gap to its end if it is longer than the reading in progress", async () => {
  const first = reading.read({ account: "1", from: 10 * MINUTE, to: 30 * MINUTE });
  await reading.read({ account: "1", from: 10 * MINUTE, to: 40 * MINUTE });
  await first;

  expect(unread(0, 50)).toEqual([
    [0, 10],
    [40, 50],
  ]);
  expect(readTo).toEqual([30, 40]);
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
