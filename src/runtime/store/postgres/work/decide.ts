import { Afterwards } from "../../in-memory/afterwards.ts";
import { AnswerCounts } from "../../in-memory/answer-counts.ts";
import type { ItemTransition } from "../../item.ts";
import { moveItem } from "../../machine/items.ts";
import { applyTransition } from "../../machine/transition.ts";
import { partitionOf } from "../../partition.ts";
import type { PostgresDatabase, Statements } from "../database.ts";
import type { LeaseTable } from "../leases.ts";
import { StatementValues } from "../params.ts";
import type { AllowedWork, Answered, StoreOperation } from "./operation.ts";
import { endingRuns, readFor } from "./read.ts";
import { LaneWork } from "./work.ts";
import { writeAll } from "./write.ts";

/** Dependencies of {@link Decider}. */
export interface DeciderParts {
  readonly db: Pick<PostgresDatabase, "transaction">;
  readonly leases: Pick<LeaseTable, "holder">;
  readonly partitions: number;
  /** Name under which this process stores its row counters in the table `counts`. */
  readonly writer: string;
  /** Called when a commit has changed the due time of a timer, perhaps of a partition that another process leases. */
  readonly onTimerMoved: () => void;
}

/** Commits transitions and changes of items. One transaction, fenced by the workers' leases, holds many of them. */
export class Decider {
  readonly #parts: DeciderParts;
  readonly #afterwards = new Afterwards();
  readonly #limits: AnswerCounts;
  /** Lease epoch of each partition with cached answers. After a change of the epoch, its cached answers are dropped. */
  readonly #epochs = new Map<number, number>();
  #work: LaneWork | undefined;
  #isKeeping = false;
  /** Whether the cached answers are to be dropped after the current transaction, which may still need them. */
  #isOutdated = false;

  constructor(parts: DeciderParts) {
    this.#parts = parts;
    const work = (): LaneWork => {
      if (this.#work === undefined) throw new Error("nothing is under way");
      return this.#work;
    };
    this.#limits = new AnswerCounts(
      {
        latest: (person) => work().latest(person),
        discount: (lane) => work().discount(lane),
      },
      { load: (keys) => work().load(keys), write: (change) => work().write(change) },
      this.#afterwards,
    );
  }

  /** Returns one result for each transition of each operation. */
  async keep(operations: readonly StoreOperation[]): Promise<readonly Answered[]> {
    this.#isKeeping = true;
    try {
      const answers = await this.#parts.db.transaction((tx) => {
        this.#afterwards.undo();
        return this.#keep(tx, operations);
      });
      this.#afterwards.keep();
      if (this.#work?.hasMovedTimer() === true) this.#parts.onTimerMoved();
      return answers;
    } catch (error) {
      this.#afterwards.undo();
      throw error;
    } finally {
      this.#work = undefined;
      this.#isKeeping = false;
      if (this.#isOutdated) this.dropAnswers();
    }
  }

  /** Drops the cached answers, because a person was forgotten. */
  dropAnswers(): void {
    this.#isOutdated = this.#isKeeping;
    if (!this.#isKeeping) this.#limits.dropAll();
  }

  /** Changes items in a transaction that has locked all leases. */
  async changeItems(tx: Statements, changes: readonly ItemTransition[]): Promise<void> {
    const limits = this.#limits;
    const place = (lane: string): number => partitionOf(lane, this.#parts.partitions);
    const work = new LaneWork(await readFor(tx, { commits: [], changes }, limits), {
      limits,
      partitionOf: place,
    });
    for (const change of changes) {
      const item = work.item(change.id);
      if (item !== undefined) moveItem(work, item, change);
    }
    await writeAll(tx, work.pending, { partitionOf: place, writer: this.#parts.writer });
  }

  async #keep(tx: Statements, operations: readonly StoreOperation[]): Promise<readonly Answered[]> {
    const isHeld = await this.#fence(tx, operations);
    const allowed: AllowedWork = {
      commits: operations.flatMap((one) =>
        one.kind === "commit" ? one.transitions.filter((each) => isHeld(one.worker, each)) : [],
      ),
      changes: operations.flatMap((one) =>
        one.kind === "change" ? one.transitions.filter((each) => isHeld(one.worker, each)) : [],
      ),
    };
    this.#forgetOthers(allowed);
    await lockShared(tx, sharedKeys(allowed, this.#limits), endingRuns(allowed.commits));
    const place = (lane: string): number => partitionOf(lane, this.#parts.partitions);
    const beside = { limits: this.#limits, partitionOf: place };
    const work = new LaneWork(await readFor(tx, allowed, this.#limits), beside);
    this.#work = work;
    const answers = operations.map((operation): Answered => {
      const { worker } = operation;
      if (operation.kind === "commit") {
        return operation.transitions.map((one) =>
          isHeld(worker, one) ? applyTransition(work, one) : "fenced",
        );
      }
      return operation.transitions.map((one) => {
        if (!isHeld(worker, one)) return "fenced";
        const item = work.item(one.id);
        if (item?.status !== one.from) return "already-done";
        return item.partition === one.partition ? moveItem(work, item, one) : "fenced";
      });
    });
    await writeAll(tx, work.pending, { partitionOf: place, writer: this.#parts.writer });
    return answers;
  }

  /**
   * Locks the leases until the transaction ends.
   *
   * @returns A function that checks whether a worker still holds a lease.
   */
  async #fence(tx: Statements, operations: readonly StoreOperation[]) {
    const partitions = operations.flatMap(({ transitions }) =>
      transitions.map(({ partition }) => partition),
    );
    const rows = await tx.query<{ partition: number; epoch: number; worker: string | null }>(
      `SELECT partition, epoch, worker FROM leases WHERE partition = ANY ($1::int[])
       ORDER BY partition FOR SHARE`,
      [[...new Set(partitions)]],
    );
    const held = new Map(rows.map((row) => [row.partition, row]));
    return (
      worker: string,
      { partition, epoch }: { readonly partition: number; readonly epoch: number },
    ): boolean => {
      const row = held.get(partition);
      return row?.epoch === epoch && row.worker === this.#parts.leases.holder(worker);
    };
  }

  #forgetOthers({ commits, changes }: AllowedWork): void {
    for (const { partition, epoch } of [...commits, ...changes]) {
      if (this.#epochs.get(partition) === epoch) continue;
      this.#epochs.set(partition, epoch);
      this.#limits.drop((lane) => partitionOf(lane, this.#parts.partitions) === partition);
    }
  }
}

/** Keys of values and slots that lanes share. Transactions that need the same key wait for each other. */
function sharedKeys({ commits }: AllowedWork, limits: AnswerCounts): readonly string[] {
  return commits.flatMap(({ state, slots = [], runs, items }) => [
    ...state.map(({ key }) => `state ${key}`),
    ...limits.stateKeys(items).map((key) => `state ${key}`),
    ...items.flatMap(({ unless }) => (unless === undefined ? [] : [`state ${unless.key}`])),
    ...slots.map(({ slot }) => `slot ${slot}`),
    ...runs.flatMap(({ slot }) => (slot === undefined ? [] : [`slot ${slot}`])),
  ]);
}

/** Locks the keys. All transactions lock keys in the same order, which prevents deadlocks. */
async function lockShared(
  tx: Statements,
  keys: readonly string[],
  ending: ReturnType<typeof endingRuns>,
): Promise<void> {
  if (keys.length === 0 && ending.length === 0) return;
  const params = new StatementValues();
  const table = params.table("e", { seq: "bigint", owner: "text" }, ending);
  await tx.query(
    `SELECT count(pg_advisory_xact_lock(h)) FROM (
       SELECT DISTINCT hashtextextended(k, 0) AS h FROM (
         SELECT unnest(${params.add([...new Set(keys)], "text[]")}) AS k
         UNION SELECT 'slot ' || r.slot FROM ${table} JOIN runs AS r USING (seq, owner) WHERE r.slot IS NOT NULL) AS u
       ORDER BY h) AS t`,
    params.values,
  );
}
