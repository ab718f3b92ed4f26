import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { world, type World } from "../support/world.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

let here: World;
beforeEach(async () => {
  here = await world("tweet");
});
afterEach(() => here.close());

it("yields each event once after a broken connection, and reports the gap that backfill filled", async () => {
  const { appOnly, bot, botId: userId, personId, sandbox } = here;
  await bot.activitySubscriptions.create({ eventType: "dm.received", userId });
  await bot.activitySubscriptions.create({
    eventType: "dm.received",
    userId,
    direction: "inbound",
    tag: "again",
  });
  const say = (text: string) => sandbox.control.act(personId, { type: "dm", to: userId, text });
  const reports: string[] = [];
  const ending = new AbortController();
  let connected = (): void => {};
  const isConnected = new Promise<void>((resolve) => (connected = resolve));
  const events = appOnly.activitySubscriptions.events({
    signal: ending.signal,
    onConnect: () => {
      reports.push("connected");
      connected();
    },
    onDisconnect: () => reports.push("broken"),
    onGap: ({ filled, by }) => reports.push(`gap: ${filled} by ${by}`),
  });
  const seen: (string | undefined)[] = [];
  const reading = (async () => {
    for await (const { event_type, tag, payload } of events) {
      expect(event_type).toBe("dm.received");
      seen.push(`${/"text":"(\w+)"/.exec(JSON.stringify(payload))?.[1]} ${tag ?? ""}`.trim());
      if (seen.length === 2) {
        // The stream breaks in the middle of the next line.
        await sandbox.control.addFault({
          match: { direction: "stream", event: "dm.received" },
          fault: { type: "cut" },
        });
        await say("two");
      }
      if (seen.length === 4) await say("three");
      if (seen.length === 6) ending.abort();
    }
  })();
  await isConnected;
  await say("one");
  await reading;

  expect(seen).toEqual(["one", "one again", "two", "two again", "three", "three again"]);
  expect(reports.slice(0, 3)).toEqual(["connected", "broken", "connected"]);
  expect(reports).toContain("gap: true by backfill");
});

it("ends with a timeout signal, which is not garbage-collected before", async () => {
  const { appOnly, bot, botId: userId } = here;
  await bot.activitySubscriptions.create({ eventType: "dm.received", userId });
  const events = appOnly.activitySubscriptions.events({
    signal: AbortSignal.timeout(300),
    onConnect: () => {
      for (let turn = 0; turn < 5; turn += 1) collectGarbage();
    },
  });
  const seen: unknown[] = [];
  for await (const event of events) seen.push(event);

  expect(seen).toEqual([]);
});
