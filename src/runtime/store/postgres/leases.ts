import type { Lease } from "../lease.ts";
import type { PostgresDatabase } from "./database.ts";
import { FORGETTING } from "./upkeep/forget.ts";

/** Lease without its deadline. */
export type LeaseEpoch = Pick<Lease, "partition" | "epoch">;

/** Leases of a worker, and values that the same transaction has read. */
export interface LeasesTaken {
  readonly leases: readonly Lease[];
  /** Whether any account is paused. */
  readonly isPaused: boolean;
  /** Value of {@link FORGETTING}. */
  readonly forgetting: string | undefined;
}

/** Leases of partitions. Each new holder raises the partition's epoch, which serves as fencing token. */
export class LeaseTable {
  readonly #db: Pick<PostgresDatabase, "transaction">;
  /** Random id of this process, so that an earlier process with the same worker names does not share its leases. */
  readonly #process: string;
  /** Leases that each worker is about to hand over. Under these leases, the worker only finishes work. */
  readonly #leaving = new Map<string, ReadonlySet<string>>();
  /** Workers of this process that have leases, or may have. */
  readonly #names = new Set<string>();

  constructor(db: Pick<PostgresDatabase, "transaction">, process: string) {
    this.#db = db;
    this.#process = process;
  }

  /** Returns the name under which the tables `workers` and `leases` list a worker of this process. */
  holder(worker: string): string {
    return `${worker}@${this.#process}`;
  }

  /** Returns leases under which new work may start. Excludes leases that are about to be handed over. */
  staying<L extends LeaseEpoch>(leases: readonly L[]): readonly L[] {
    if (this.#leaving.size === 0) return leases;
    const leaving = [...this.#leaving.values()];
    return leases.filter((lease) => !leaving.some((names) => names.has(nameOf(lease))));
  }

  /**
   * Renews the worker's leases, hands over leases above its share, and acquires free leases.
   *
   * A handover takes two calls. After the first call, no new work starts under the surplus leases. The second call
   * gives these leases away. Running work has ended by that time, so the next holder does not have to determine its
   * outcome.
   */
  async lease(worker: string, ttlMs: number): Promise<LeasesTaken> {
    const holder = this.holder(worker);
    this.#names.add(worker);
    const before = performance.now();
    const held = await this.#db.transaction(async (tx) => {
      // Calls are serialized, because each share depends on the number of present workers.
      await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('answerback/leases', 0))");
      const [row] = await tx.query<SeenRow>(SEEN, [holder, ttlMs, FORGETTING]);
      const { workers = 1, partitions = 1, paused: isPaused = false } = row ?? {};
      const seen = { isPaused, forgetting: row?.forgetting ?? undefined };
      const mine = await tx.query<LeaseEpoch>(RENEW, [holder, ttlMs]);
      const share = Math.ceil(partitions / workers);
      const surplus = mine
        .toSorted((a, b) => b.partition - a.partition)
        .slice(0, Math.max(0, mine.length - share));
      const freed = surplus.filter((lease) => this.#leaving.get(worker)?.has(nameOf(lease)));
      if (freed.length > 0) await tx.query(GIVE, [holder, freed.map(({ partition }) => partition)]);
      const staying = mine.filter((lease) => !freed.includes(lease));
      const leaving = surplus.filter((lease) => !freed.includes(lease));
      if (staying.length >= share) return { ...seen, leases: staying, leaving };
      const added = await tx.query<LeaseEpoch>(TAKE, [holder, ttlMs, share - staying.length]);
      return { ...seen, leases: [...staying, ...added], leaving };
    });
    if (held.leaving.length === 0) this.#leaving.delete(worker);
    else this.#leaving.set(worker, new Set(held.leaving.map(nameOf)));
    const until = before + ttlMs;
    const leases = held.leases
      .map(({ partition, epoch }) => ({ partition, epoch, until }))
      .toSorted((a, b) => a.partition - b.partition);
    const { isPaused, forgetting } = held;
    return { leases, isPaused, forgetting };
  }

  /** Returns the names under which workers of this process have leases, or may have. */
  holders(): readonly string[] {
    return [...this.#names].map((worker) => this.holder(worker));
  }

  /** Releases all leases of the worker at once. */
  async release(worker: string): Promise<void> {
    const holder = this.holder(worker);
    await this.#db.transaction(async (tx) => {
      await tx.query("UPDATE leases SET worker = NULL, until = '-infinity' WHERE worker = $1", [
        holder,
      ]);
      await tx.query("DELETE FROM workers WHERE worker = $1", [holder]);
    });
    this.#leaving.delete(worker);
    this.#names.delete(worker);
  }

  /** Releases all leases of a worker of another process, which has ended. */
  async releaseEnded(worker: string): Promise<void> {
    const holders = [`${worker}@`];
    await this.#db.transaction(async (tx) => {
      await tx.query(
        "UPDATE leases SET worker = NULL, until = '-infinity' WHERE starts_with(worker, $1)",
        holders,
      );
      await tx.query("DELETE FROM workers WHERE starts_with(worker, $1)", holders);
    });
  }

  /** Releases all leases of all workers of this process at once. A read-only store holds no leases. */
  async releaseAll(): Promise<void> {
    for (const worker of this.#names) await this.release(worker);
  }
}

function nameOf({ partition, epoch }: LeaseEpoch): string {
  return `${partition}/${epoch}`;
}

interface SeenRow {
  readonly workers: number;
  readonly partitions: number;
  readonly paused: boolean;
  readonly forgetting: string | null;
}

const SEEN = `
  WITH gone AS (DELETE FROM workers WHERE until <= clock_timestamp() AND worker <> $1),
  me AS (
    INSERT INTO workers (worker, until) VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
    ON CONFLICT (worker) DO UPDATE SET until = excluded.until)
  SELECT 1 + (SELECT count(*) FROM workers WHERE worker <> $1 AND until > clock_timestamp()) AS workers,
    (SELECT count(*) FROM leases) AS partitions, EXISTS (SELECT 1 FROM pauses) AS paused,
    (SELECT value FROM meta WHERE name = $3) AS forgetting`;

/** An expired lease that no other worker acquired is renewed with the same epoch. */
const RENEW = `
  UPDATE leases SET until = clock_timestamp() + $2 * interval '1 ms' WHERE worker = $1
  RETURNING partition, epoch`;

const TAKE = `
  UPDATE leases SET worker = $1, epoch = epoch + 1, until = clock_timestamp() + $2 * interval '1 ms'
  WHERE partition IN (
    SELECT partition FROM leases WHERE worker IS NULL OR (worker <> $1 AND until <= clock_timestamp())
    ORDER BY partition LIMIT $3 FOR UPDATE)
  RETURNING partition, epoch`;

const GIVE = `
  UPDATE leases SET worker = NULL, until = '-infinity' WHERE worker = $1 AND partition = ANY ($2::int[])`;
