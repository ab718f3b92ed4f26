import type { NewItem } from "../../../src/runtime/store/item.ts";
import { openStore } from "../../../src/runtime/store/open.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { takenIn } from "../../runtime/store/builders.ts";
import { ACCOUNT, entryOf } from "./messages.ts";

/** Backlog of a store: none, one lane (the events of one person) with many messages, or lanes with blocked items. */
export type Backlog = "none" | "lane" | "blocked";

const ENTRIES = 50_000;
const BLOCKED_LANES = 100;
const ITEMS_A_LANE = 100;
const PIECE = 1_000;
const DAY_MS = 24 * 60 * 60_000;

/** Creates the store in `folder`, with its backlog. */
export async function furnish(folder: string, backlog: Backlog): Promise<void> {
  const store = await openStore(`file:${folder}`);
  if (backlog === "lane") await fillLane(store);
  if (backlog === "blocked") await blockItems(store);
  await store.close();
}

/** Appends 50,000 messages of one person, which the worker decides one after the other. */
async function fillLane(store: Store): Promise<void> {
  for (let n = 0; n < ENTRIES; n += PIECE) {
    const piece = Array.from({ length: PIECE }, (_, i) => entryOf(n + i, "19999999"));
    await store.append(piece);
  }
}

/**
 * Fills 100 lanes with 100 items each. The first item of a lane blocks all others: in every second lane because its
 * outcome is unknown, in the other lanes because it waits until tomorrow.
 */
async function blockItems(store: Store): Promise<void> {
  const leases = await store.lease("furnisher", 60_000);
  for (let lane = 0; lane < BLOCKED_LANES; lane += 1) {
    await store.append([entryOf(lane)]);
    const [input] = await store.fetch(leases, Date.now(), 1);
    if (input === undefined) throw new Error("nothing to take in");
    const items = Array.from({ length: ITEMS_A_LANE }, (_, n) => itemOf(lane, n));
    await store.commit("furnisher", [takenIn(leases, input, { items })]);
  }
  const heads = await store.items({ limit: BLOCKED_LANES * ITEMS_A_LANE });
  for (const { id, partition, lane, key } of heads) {
    if (!key.endsWith("#0") || Number(lane.split("/")[1]) % 2 === 0) continue;
    const epoch = leases.find((lease) => lease.partition === partition)?.epoch ?? 0;
    // The attempt is dated tomorrow, so that the bot does not yet ask the platform for its outcome.
    const tomorrow = Date.now() + DAY_MS;
    const move = { id, partition, epoch, at: tomorrow, notBefore: tomorrow };
    await store.changeItems("furnisher", [
      { ...move, from: "pending", to: "sending" },
      { ...move, from: "sending", to: "unknown" },
    ]);
  }
  await store.release("furnisher");
}

function itemOf(lane: number, n: number): NewItem {
  const person = String(20_000_000 + lane);
  return {
    key: `${lane}#${n}`,
    run: `${lane + 1}/rule:hours`,
    seq: lane + 1,
    account: ACCOUNT,
    lane: `${ACCOUNT}/${person}`,
    action: { type: "reply_dm", to: person, text: `We open at 9. (${n})` },
    notBefore: n === 0 ? Date.now() + DAY_MS : 0,
  };
}
