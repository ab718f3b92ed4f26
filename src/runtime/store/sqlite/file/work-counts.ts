import { channel } from "node:diagnostics_channel";
import type { Database } from "../binding.ts";

/** Counts of a store's work, in memory that the store thread and the main thread share. For tests and measurements. */
export type WorkCounts = Int32Array;

/** Positions of the counts in the array {@link WorkCounts}. */
export const WORK = {
  /** Number of messages to the store thread. */
  trips: 0,
  transactions: 1,
  /** Number of executed SQL statements, including those that begin and end transactions. */
  statements: 2,
} as const;

/**
 * Name of the diagnostics channel on which the {@link WorkCounts} of each opened store are published.
 *
 * Without a subscriber nothing is counted.
 */
export const STORE_WORK = "answerback:store-work";

const opened = channel(STORE_WORK);

/** Creates and publishes the counts of a new store; undefined if the channel has no subscriber. */
export function countsForSubscribers(): WorkCounts | undefined {
  if (!opened.hasSubscribers) return undefined;
  const bytes = Object.keys(WORK).length * Int32Array.BYTES_PER_ELEMENT;
  const counts = new Int32Array(new SharedArrayBuffer(bytes));
  opened.publish(counts);
  return counts;
}

/** Adds 1 to one of the counts. */
export function count(counts: WorkCounts | undefined, kind: keyof typeof WORK): void {
  if (counts !== undefined) Atomics.add(counts, WORK[kind], 1);
}

/** Wraps a database so that its statements and transactions are counted. */
export function countedDatabase(db: Database, counts: WorkCounts): Database {
  return {
    get written() {
      return db.written;
    },
    exec(sql) {
      count(counts, "statements");
      if (sql.startsWith("BEGIN")) count(counts, "transactions");
      db.exec(sql);
    },
    prepare<Row>(sql: string) {
      const statement = db.prepare<Row>(sql);
      const counting =
        <Args extends readonly unknown[], Result>(execute: (...args: Args) => Result) =>
        (...args: Args): Result => {
          count(counts, "statements");
          return execute(...args);
        };
      return {
        run: counting((...args) => statement.run(...args)),
        get: counting((...args) => statement.get(...args)),
        all: counting((...args) => statement.all(...args)),
      };
    },
    close: () => db.close(),
  };
}
