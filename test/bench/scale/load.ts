import { delivery } from "../answering/deliverer.ts";
import { FIRST_ACCOUNT } from "./accounts.ts";
import type { Cluster } from "./cluster.ts";

/** Load that a cluster gets for a while. */
export interface Load {
  /** Maximum number of events sent and not answered yet. */
  readonly window: number;
  readonly seconds: number;
  /** Number of lanes (conversations), spread evenly over the accounts. */
  readonly lanes: number;
  readonly accounts: number;
}

/** Result of a load. */
export interface Loaded {
  readonly answered: number;
  readonly seconds: number;
  readonly shed: number;
}

/** Next message number, unique in this process. */
let next = 1_000_000_000;

/** Keeps up to `window` events in progress, so that there is always one to answer, and counts replies. */
export async function load(cluster: Cluster, wantedLoad: Load): Promise<Loaded> {
  const { platform, deliverer } = cluster;
  let answered = 0;
  let underWay = 0;
  let shed = 0;
  let isOver = false;
  const fill = (): void => {
    if (isOver) return;
    for (; underWay < wantedLoad.window; underWay += 1) void deliver();
  };
  const deliver = async (): Promise<void> => {
    if ((await deliverer.send(message(wantedLoad))) === 200) return;
    shed += 1;
    underWay -= 1;
    setTimeout(fill, AGAIN_MS);
  };
  const isAnswered = (): boolean => underWay === 0;
  platform.onReply = () => {
    answered += 1;
    underWay -= 1;
    fill();
  };
  const begun = performance.now();
  fill();
  await new Promise((resolve) => setTimeout(resolve, wantedLoad.seconds * 1_000));
  const seconds = (performance.now() - begun) / 1_000;
  isOver = true;
  const within = answered;
  // Events still in progress are part of the cost, so wait for them.
  while (!isAnswered()) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  platform.onReply = () => {};
  return { answered: within, seconds, shed };
}

const AGAIN_MS = 100;
const LOOK_EVERY_MS = 20;
/** Step from a message's lane to the next message's, so that events close in time are far apart in the tables. */
const STRIDE = 7_919;
/** User id of the sender in the first lane; the other senders have the following ids. */
export const FIRST_PERSON = 10_000_000;

function message({ lanes, accounts }: Pick<Load, "lanes" | "accounts">): Buffer {
  next += 1;
  const lane = (next * STRIDE) % lanes;
  const account = String(FIRST_ACCOUNT + (lane % accounts));
  return delivery(next, String(FIRST_PERSON + lane), 0, account);
}
