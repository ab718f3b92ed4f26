import type { Lease } from "../lease.ts";
import type { PostgresDatabase } from "./database.ts";

/** A lease without its deadline. */
export type LeaseEpoch = Pick<Lease, "partition" | "epoch">;

/** Who may decide and send: rows with an epoch that rises with each new holder. */
export class LeaseTable {
  readonly #db: Pick<PostgresDatabase, "transaction">;
  /** Of this process: an earlier one of the same name is another holder. */
  readonly #process: string;
  /** Leases that a worker is about to give away: it finishes what it has of them in hand. */
  readonly #leaving = new Map<string, ReadonlySet<string>>();
  /** The workers of this process that have leases, or may have. */
  readonly #names = new Set<string>();

  constructor(db: Pick<PostgresDatabase, "transaction">, process: string) {
    this.#db = db;
    this.#process = process;
  }

  /** The name under which a worker of this process stands in the table. */
  holder(worker: string): string {
    return `${worker}@${this.#process}`;
  }

  /** Those of them of which more may be begun. */
  staying<L extends LeaseEpoch>(leases: readonly L[]): readonly L[] {
    if (this.#leaving.size === 0) return leases;
    const leaving = [...this.#leaving.values()];
    return leases.filter((lease) => !leaving.some((names) => names.has(nameOf(lease))));
  }

  /**
   * Renews what the worker has, gives away what is more than its share, takes what nobody holds.
   *
   * What is to be given away is announced by one call, after which nothing more of it is begun, and given away by
   * the next one: what is under way is finished by then, and nobody has to find out what became of it.
   */
  async lease(worker: string, ttlMs: number): Promise<readonly Lease[]> {
    const holder = this.holder(worker);
    this.#names.add(worker);
    const before = performance.now();
    const held = await this.#db.transaction(async (tx) => {
      // One at a time: shares are counted by who is there.
      await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('answerback/leases', 0))");
      const [row] = await tx.query<{ workers: number; partitions: number }>(SEEN, [holder, ttlMs]);
      const { workers = 1, partitions = 1 } = row ?? {};
      const mine = await tx.query<LeaseEpoch>(RENEW, [holder, ttlMs]);
      const share = Math.ceil(partitions / workers);
      const surplus = mine
        .toSorted((a, b) => b.partition - a.partition)
        .slice(0, Math.max(0, mine.length - share));
      const given = surplus.filter((lease) => this.#leaving.get(worker)?.has(nameOf(lease)));
      if (given.length > 0) await tx.query(GIVE, [holder, given.map(({ partition }) => partition)]);
      const kept = mine.filter((lease) => !given.includes(lease));
      const leaving = surplus.filter((lease) => !given.includes(lease));
      if (kept.length >= share) return { leases: kept, leaving };
      const taken = await tx.query<LeaseEpoch>(TAKE, [holder, ttlMs, share - kept.length]);
      return { leases: [...kept, ...taken], leaving };
    });
    if (held.leaving.length === 0) this.#leaving.delete(worker);
    else this.#leaving.set(worker, new Set(held.leaving.map(nameOf)));
    const until = before + ttlMs;
    return held.leases
      .map(({ partition, epoch }) => ({ partition, epoch, until }))
      .toSorted((a, b) => a.partition - b.partition);
  }

  /** Gives all that the worker has back at once. */
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

  /** Gives all that this process has back at once, under whatever names; a store that is only read has nothing. */
  async releaseAll(): Promise<void> {
    for (const worker of this.#names) await this.release(worker);
  }
}

function nameOf({ partition, epoch }: LeaseEpoch): string {
  return `${partition}/${epoch}`;
}

const SEEN = `
  WITH gone AS (DELETE FROM workers WHERE until <= clock_timestamp() AND worker <> $1),
  me AS (
    INSERT INTO workers (worker, until) VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
    ON CONFLICT (worker) DO UPDATE SET until = excluded.until)
  SELECT 1 + (SELECT count(*) FROM workers WHERE worker <> $1 AND until > clock_timestamp()) AS workers,
    (SELECT count(*) FROM leases) AS partitions`;

/** A lease that has run out and that nobody took is still the same one. */
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
