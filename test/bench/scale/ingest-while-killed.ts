import { setTimeout as delay } from "node:timers/promises";
import { delivery } from "../answering/deliverer.ts";
import { quantile } from "../numbers.ts";
import type { Cluster } from "./cluster.ts";
import { FIRST_PERSON } from "./load.ts";

/** Latency of the responses with status 200 to deliveries, in milliseconds. */
export interface IngestWhileKilled {
  readonly quietP99Ms: number;
  readonly killedP99Ms: number;
}

const RATE = 200;
const BATCH_MS = 10;

/** Delivers at a steady rate for `seconds`, then for the same time while the first worker is killed with `kill -9`. */
export async function ingestWhileKilled(
  cluster: Cluster,
  seconds: number,
): Promise<IngestWhileKilled> {
  const quiet = await waits(cluster, seconds, 1_500_000_000);
  const quietP99Ms = quantile(quiet, 0.99);
  const killing = delay((seconds * 1_000) / 4).then(() => cluster.workers[0]?.kill());
  const killed = await waits(cluster, seconds, 1_600_000_000);
  await killing;
  return { quietP99Ms, killedP99Ms: quantile(killed, 0.99) };
}

async function waits(
  { deliverer }: Pick<Cluster, "deliverer">,
  seconds: number,
  firstId: number,
): Promise<readonly number[]> {
  const took: number[] = [];
  const under: Promise<void>[] = [];
  const begun = performance.now();
  const elapsed = (): number => performance.now() - begun;
  const deliver = async (request: Buffer, dueAt: number): Promise<void> => {
    const status = await deliverer.send(request);
    if (status !== 200) throw new Error(`a delivery was answered ${status}`);
    took.push(elapsed() - dueAt);
  };
  for (let sent = 0; elapsed() < seconds * 1_000; await delay(BATCH_MS)) {
    for (const due = Math.floor((elapsed() / 1_000) * RATE); sent < due; sent += 1) {
      // The latency of a late request counts from the time at which it was due.
      const dueAt = (sent / RATE) * 1_000;
      const request = delivery(firstId + sent, String(FIRST_PERSON + sent));
      under.push(deliver(request, dueAt));
    }
  }
  await Promise.all(under);
  return took;
}
