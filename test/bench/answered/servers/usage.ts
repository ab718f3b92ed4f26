import { createInterface } from "node:readline";
import { WORK, type WorkCounts } from "../../../../src/runtime/store/sqlite/file/work-counts.ts";

/** Resources that a process has used since its start. */
export interface Usage {
  /** Processor time of all threads, in microseconds. */
  readonly cpuUs: number;
  readonly rssMb: number;
  /** Numbers of calls to the store's thread, of its transactions and statements; 0 without a store. */
  readonly trips: number;
  readonly transactions: number;
  readonly statements: number;
}

const MIB = 2 ** 20;

/** Prints the port. After that, prints the {@link Usage} of this process for each line of the standard input. */
export function serveUsage(port: number, counts: WorkCounts = new Int32Array(3)): void {
  process.stdout.write(`${port}\n`);
  createInterface(process.stdin).on("line", () => {
    const { user, system } = process.cpuUsage();
    const usage: Usage = {
      cpuUs: user + system,
      rssMb: process.memoryUsage.rss() / MIB,
      trips: counts[WORK.trips] ?? 0,
      transactions: counts[WORK.transactions] ?? 0,
      statements: counts[WORK.statements] ?? 0,
    };
    process.stdout.write(`${JSON.stringify(usage)}\n`);
  });
}
