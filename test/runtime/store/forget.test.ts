import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Store } from "../../../src/runtime/store/store.ts";
import { entry, item, moved, run, takenIn } from "./builders.ts";
import { folderPlace } from "./place.ts";

let place: Awaited<ReturnType<typeof folderPlace>>;
let store: Store;
beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

const W = "w";
const ANA = "20000000001";
const BEN = "20000000002";

/** Reads all bytes of the data folder. */
async function bytes(): Promise<string> {
  const names = await readdir(place.folder);
  const files = await Promise.all(names.map((name) => readFile(join(place.folder, name))));
  return Buffer.concat(files).toString("latin1");
}

function message(person: string, n: number) {
  const body = JSON.stringify({
    sender_id: person,
    text: `the words of ${person} `.repeat(n * 40),
  });
  const key = `follow:${person}>100:${n}`;
  return entry({ key, account: "100", lane: `100/${person}`, body });
}

/**
 * Stores data of two people with three messages each: the first message is answered, the second has an open run, item,
 * timer and escalation, and the third is not processed yet.
 */
async function history(): Promise<void> {
  const leases = await store.lease(W, 15_000);
  for (const person of [ANA, BEN]) {
    for (const n of [1, 2, 3]) {
      const [added] = await store.append([message(person, n)]);
      const seq = added?.seq ?? 0;
      if (n === 3) continue;
      const input = (await store.fetch(leases, 0, 9)).find((one) => one.input === `inbox/${seq}`);
      if (input === undefined) throw new Error("nothing to decide");
      const lane = `100/${person}`;
      const answer = item({
        key: `${person}/${n}`,
        seq,
        lane,
        action: { type: "reply_dm", to: person, text: `an answer to ${person}` },
      });
      const waiting = run(seq, { status: n === 1 ? "done" : "waiting", lane, body: `"${person}"` });
      const timer = { id: `${person}/${n}/wait`, run: waiting.id, lane, dueAt: 9_000 };
      await store.commit(W, [
        takenIn(leases, input, {
          runs: [waiting],
          timers: n === 2 ? [timer] : [],
          state: [{ key: `cooldown/faq-${n}/100/person/${person}`, value: "1", version: 0 }],
          items: [answer],
          escalations: [
            {
              key: `${person}/${n}/escalate`,
              run: waiting.id,
              seq,
              account: "100",
              lane,
              queue: "support",
              priority: "normal",
              note: `about ${person}`,
              at: 1,
              silences: { scope: lane, untilResolved: true },
            },
          ],
        }),
      ]);
      const open = (await store.dueItems(leases, 9_000, 9)).find((one) => one.lane === lane);
      if (n === 1 && open !== undefined) {
        await store.changeItems(W, [moved(leases, open, "sending")]);
        await store.changeItems(W, [moved(leases, { ...open, status: "sending" }, "sent")]);
      }
    }
  }
}

it("deletes all data and pending work of a person from the files, and keeps that of others", async () => {
  await history();
  expect(await bytes()).toContain(ANA);
  const before = await store.stats();

  expect(await store.forget({ id: ANA, now: 9_000 })).toEqual({
    entries: 3,
    items: 2,
    state: 2,
    left: 0,
  });
  const remaining = await bytes();
  expect(remaining).not.toContain(ANA);
  expect(remaining).toContain(`the words of ${BEN}`);
  const half = { sent: 1, pending: 1 };
  expect(before).toMatchObject({ journal: 6, inbox: 2, items: { sent: 2, pending: 2 } });
  expect(await store.stats()).toMatchObject({ journal: 3, inbox: 1, items: half });
  const leases = await store.lease(W, 15_000);
  const inputs = await store.fetch(leases, 9_000, 99);
  expect(new Set(inputs.map(({ lane }) => lane))).toEqual(new Set([`100/${BEN}`]));
  expect((await store.dueItems(leases, 9_000, 9)).map(({ lane }) => lane)).toEqual([`100/${BEN}`]);

  expect(await store.silences(`100/${ANA}`)).toEqual([]);
  expect((await store.escalations({ limit: 9 })).map(({ lane }) => lane)).toEqual([
    `100/${BEN}`,
    `100/${BEN}`,
  ]);

  await store.close();
  expect(await bytes()).not.toContain(ANA);
  store = await place.open();
  expect(await store.stats()).toMatchObject({ journal: 3, inbox: 1, items: half });
});

it("recognizes repeated events of the person as duplicates, also after a restart", async () => {
  await history();
  await store.forget({ id: ANA, now: 9_000 });

  expect(await store.append([message(ANA, 1), message(BEN, 1), message(ANA, 4)])).toMatchObject([
    { outcome: "duplicate" },
    { outcome: "duplicate" },
    { outcome: "new" },
  ]);
  await store.close();
  store = await place.open();
  expect(await store.append([message(ANA, 2)])).toMatchObject([{ outcome: "duplicate" }]);
  await store.prune({ before: 1_000_000, now: 0 });
  expect(await store.append([message(ANA, 2)])).toMatchObject([{ outcome: "new" }]);
});

it("keeps answers to other people who named the person, until they are sent", async () => {
  const body = JSON.stringify({ text: "thanks to", mentions: [ANA] });
  await store.append([entry({ key: "dm:ben", account: "100", lane: `100/${BEN}`, body })]);

  expect(await store.forget({ id: ANA, now: 0 })).toMatchObject({ entries: 0, left: 1 });
  const leases = await store.lease(W, 15_000);
  const [input] = await store.fetch(leases, 0, 9);
  if (input === undefined) throw new Error("nothing to decide");
  await store.commit(W, [takenIn(leases, input)]);
  expect(await store.forget({ id: ANA, now: 0 })).toMatchObject({ entries: 1, left: 0 });
});
