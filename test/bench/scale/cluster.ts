import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { openStoredAccounts } from "../../../src/runtime/accounts/stored-accounts.ts";
import { openPostgresStore } from "../../../src/runtime/store/postgres/postgres-store.ts";
import { deliverer, type Deliverer } from "../answering/deliverer.ts";
import { startPlatform, type Platform } from "../answering/platform.ts";
import { type Child, startChild } from "../child.ts";
import { accountsFor } from "./accounts.ts";

/** A receiver and some workers on one store, or one process with its own store. */
export interface Cluster {
  readonly platform: Platform;
  readonly deliverer: Deliverer;
  readonly receiver: Child;
  readonly workers: readonly Child[];
  /** Number of statements that all processes have sent so far. */
  statements(): Promise<number>;
  /** Resolves when no event waits for a decision and no item for sending. */
  drained(): Promise<void>;
  /** Stops the cluster's processes gracefully, then the platform and the deliverer. */
  close(): Promise<void>;
}

export interface ClusterShape {
  /** URL of a PostgreSQL database. Without it, a single process has its own store in a folder. */
  readonly store?: string;
  readonly workers: number;
  readonly accounts?: number;
}

interface State {
  readonly statements: number;
  /** Accounts whose events the platform delivers. */
  readonly subscribed: number;
  readonly store: { readonly inbox: number; readonly items: Readonly<Record<string, number>> };
}

const WEBHOOK = "https://bot.example/webhook";
const CHILD = fileURLToPath(new URL("./child-node.ts", import.meta.url));
const CONNECTIONS = 64;
/** Key that seals the accounts' tokens in the store. */
const KEY = randomBytes(32).toString("hex");
const LOOK_EVERY_MS = 200;

/** Links the accounts and starts all processes. Resolves when the processes accept events. */
export async function openCluster(shape: ClusterShape): Promise<Cluster> {
  const { store, workers: count, accounts = 1 } = shape;
  const linked = accountsFor(accounts);
  const platform = await startPlatform(
    WEBHOOK,
    linked.map(({ id }) => id),
  );
  if (store !== undefined) await linkAll(store, linked);
  const start = async (role: string, name: string) => {
    const child = startChild({
      file: CHILD,
      args: [platform.url, WEBHOOK, role, name, store ?? "", String(accounts)],
      env: store === undefined ? {} : { ANSWERBACK_KEY: KEY },
    });
    return { child, listens: await child.line() };
  };
  const receiver = await start(store === undefined ? "all" : "receiver", "receiver");
  const workers: Child[] = [];
  const wanted = store === undefined ? 0 : count;
  for (let n = 1; n <= wanted; n += 1) {
    workers.push((await start("worker", `worker-${n}`)).child);
  }
  if (store !== undefined) await spread(store, count);
  const sender = deliverer(Number(receiver.listens.split(":").at(-1)), CONNECTIONS);
  const all = [receiver.child, ...workers];
  const state = async (child: Child): Promise<State> => {
    child.say("state");
    const childState: State = JSON.parse(await child.line());
    return childState;
  };
  while ((await state(receiver.child)).subscribed < accounts) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return {
    platform,
    deliverer: sender,
    receiver: receiver.child,
    workers,
    async statements() {
      const states = await Promise.all(all.map(state));
      return states.reduce((total, { statements }) => total + statements, 0);
    },
    async drained() {
      for (;;) {
        const { inbox, items } = (await state(receiver.child)).store;
        if (inbox + (items["pending"] ?? 0) + (items["sending"] ?? 0) === 0) return;
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    },
    async close() {
      sender.close();
      for (const child of all) await child.kill();
      await platform.close();
    },
  };
}

/** Resolves when every partition of the store has a worker, and no worker has more than an equal share. */
async function spread(url: string, workers: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (;;) {
    const { rows } = await client.query<{ most: number; free: number }>(
      `SELECT max(n)::int AS most, coalesce(sum(n) FILTER (WHERE worker IS NULL), 0)::int AS free
       FROM (SELECT worker, count(*) AS n FROM leases GROUP BY worker) AS held`,
    );
    const [row] = rows;
    if (row?.free === 0 && row.most <= Math.ceil(PARTITIONS / workers)) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  await client.end();
}

/** Number of partitions of a store. A worker leases some of them. */
const PARTITIONS = 64;

async function linkAll(url: string, accounts: ReturnType<typeof accountsFor>): Promise<void> {
  const store = await openPostgresStore(url);
  try {
    const registry = await openStoredAccounts(store, KEY);
    for (const account of accounts) await registry.put(account);
  } finally {
    await store.close();
  }
}
