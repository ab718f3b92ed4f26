/**
 * Program that a test starts and may kill: `open FOLDER`, `append FOLDER ROUND`, or `churn FOLDER BYTES`.
 *
 * `append` lets many callers append and decide entries. It prints a line for each state that is on disk: `A key` for an
 * accepted entry, `C key` for a decided one.
 */
import { writeSync } from "node:fs";
import { openStore } from "../../../src/runtime/store/open.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { LaneInput } from "../../../src/runtime/store/transition.ts";
import { entry, item, takenIn } from "./builders.ts";

const CALLERS = 32;

/** Prints synchronously, so that the text is out before the process is killed. */
function print(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      // The pipe is full, because the parent process reads slowly on a busy machine. Then the write is repeated.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
}

async function append(store: Store, caller: string): Promise<never> {
  for (let n = 0; ; n++) {
    const key = `${caller}:${n}`;
    await store.append([entry({ key, lane: `100:${caller}`, body: "x".repeat(500) })]);
    print(`A ${key}`);
  }
}

async function decide(store: Store): Promise<never> {
  for (;;) {
    const leases = await store.lease("w", 15_000);
    const open = await store.fetch(leases, 0, 64);
    const results = open.map((one) =>
      takenIn(leases, one, { items: [item({ key: keyOf(one), lane: one.lane })] }),
    );
    const done = await store.commit("w", results);
    open.forEach((one, place) => done[place] === "committed" && print(`C ${keyOf(one)}`));
  }
}

const keyOf = (input: LaneInput): string => (input.kind === "event" ? input.entry.key : "");

/** Appends and prunes entries until six times `bytes`, the size of the volume, were written. */
async function churn(store: Store, bytes: number): Promise<void> {
  const body = "x".repeat(20_000);
  let [written, refused] = [0, 0];
  const times = 6;
  for (; (written + refused) * body.length < times * bytes;) {
    const leases = await store.lease("w", 15_000);
    try {
      await store.append([entry({ key: `dm:${written + refused}`, body })]);
      written += 1;
    } catch {
      refused += 1;
    }
    const open = await store.fetch(leases, 0, 64);
    for (const one of open) await store.commit("w", [takenIn(leases, one)]);
    await store.prune({ before: 2_000, now: 0 });
  }
  print(`kept ${written}, refused ${refused}, written ${times} times the volume`);
}

const [task, folder, round] = process.argv.slice(2);
try {
  const store = await openStore(`file:${folder}`);
  if (task === "open") await store.close();
  else if (task === "churn") {
    await churn(store, Number(round));
    await store.close();
  } else {
    const callers = Array.from({ length: CALLERS }, (_, n) => append(store, `${round}-${n}`));
    await Promise.all([...callers, decide(store)]);
  }
} catch (error) {
  print(JSON.stringify({ ...Object(error), message: String(error) }));
  // Otherwise the store's thread would keep this process running.
  process.exit(1);
}
