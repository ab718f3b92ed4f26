import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import type { CallParams, CallResults } from "./calls.ts";
import { StoreError } from "../errors.ts";
import type { Item } from "../item.ts";
import type { ItemQuery, JournalQuery, JournalRow } from "../listings.ts";
import type { Store } from "../store.ts";
import { StoreThread } from "./thread-port.ts";

export interface SqliteOptions {
  /** Size in bytes past which the store takes nothing more. Unlimited unless said. */
  readonly maxBytes?: number;
}

/**
 * Opens the store in `folder`: one SQLite file, held by one thread of this process.
 *
 * @throws {StoreError} when the folder can't be made, is held, or was written by a newer version.
 */
export async function openSqliteStore(folder: string, options: SqliteOptions): Promise<Store> {
  const path = join(folder, "store.db");
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Made here, so that nobody else may read it from its first byte; SQLite's other files follow it.
    await (await open(path, "a", 0o600)).close();
  } catch (cause) {
    throw new StoreError("store-io", `the store can't be made in ${folder}: ${String(cause)}`, {
      cause,
      hint: "choose a folder that this user may write to",
    });
  }
  return new SqliteStore(await StoreThread.start({ path, maxBytes: options.maxBytes }));
}

class SqliteStore implements Store {
  readonly partitions: number;
  readonly #thread: StoreThread;

  constructor(thread: StoreThread) {
    this.#thread = thread;
    this.partitions = thread.partitions;
  }

  append(...args: CallParams["append"]): Promise<CallResults["append"]> {
    return this.#thread.call("append", ...args);
  }

  async lease(worker: string, ttlMs: number) {
    const until = performance.now() + ttlMs;
    const held = await this.#thread.call("lease", worker, ttlMs);
    return held.map((one) => ({ ...one, until }));
  }

  release(...args: CallParams["release"]): Promise<void> {
    return this.#thread.call("release", ...args);
  }

  fetch(...[leases, now, limit, busy = []]: Parameters<Store["fetch"]>) {
    return this.#thread.call("fetch", leases, now, limit, busy);
  }

  load(...args: CallParams["load"]): Promise<CallResults["load"]> {
    return this.#thread.call("load", ...args);
  }

  openRuns(...args: CallParams["openRuns"]): Promise<CallResults["openRuns"]> {
    return this.#thread.call("openRuns", ...args);
  }

  ruleSource(...args: CallParams["ruleSource"]): Promise<CallResults["ruleSource"]> {
    return this.#thread.call("ruleSource", ...args);
  }

  commit(...args: CallParams["commit"]): Promise<CallResults["commit"]> {
    return this.#thread.call("commit", ...args);
  }

  dueItems(...args: CallParams["dueItems"]): Promise<CallResults["dueItems"]> {
    return this.#thread.call("dueItems", ...args);
  }

  overdueItems(...args: CallParams["overdueItems"]): Promise<CallResults["overdueItems"]> {
    return this.#thread.call("overdueItems", ...args);
  }

  openItems(...args: CallParams["openItems"]): Promise<CallResults["openItems"]> {
    return this.#thread.call("openItems", ...args);
  }

  changeItems(...args: CallParams["changeItems"]): Promise<CallResults["changeItems"]> {
    return this.#thread.call("changeItems", ...args);
  }

  /** A long listing goes over in small ones, so that appends get their turn in between. */
  async journal(query: JournalQuery): Promise<readonly JournalRow[]> {
    const found: JournalRow[] = [];
    for (let { before } = query; ;) {
      const limit = Math.min(PIECE, query.limit - found.length);
      const from = before === undefined ? {} : { before };
      const { rows, next } = await this.#thread.call("journal", { ...query, ...from, limit });
      found.push(...rows);
      before = rows.length < limit ? next : rows.at(-1)?.seq;
      if (found.length >= query.limit || before === undefined) return found;
    }
  }

  async items(query: ItemQuery): Promise<readonly Item[]> {
    const found: Item[] = [];
    for (let { before } = query; ;) {
      const limit = Math.min(PIECE, query.limit - found.length);
      const from = before === undefined ? {} : { before };
      const rows = await this.#thread.call("items", { ...query, ...from, limit });
      found.push(...rows);
      before = rows.length < limit ? undefined : rows.at(-1)?.id;
      if (found.length >= query.limit || before === undefined) return found;
    }
  }

  getMeta(...args: CallParams["getMeta"]): Promise<string | undefined> {
    return this.#thread.call("getMeta", ...args);
  }

  setMeta(...args: CallParams["setMeta"]): Promise<void> {
    return this.#thread.call("setMeta", ...args);
  }

  pauses(): Promise<CallResults["pauses"]> {
    return this.#thread.call("pauses");
  }

  setPause(...args: CallParams["setPause"]): Promise<boolean> {
    return this.#thread.call("setPause", ...args);
  }

  coverage(...args: CallParams["coverage"]): Promise<CallResults["coverage"]> {
    return this.#thread.call("coverage", ...args);
  }

  cover(...args: CallParams["cover"]): Promise<void> {
    return this.#thread.call("cover", ...args);
  }

  async prune(times: Parameters<Store["prune"]>[0]): Promise<number> {
    let dropped = 0;
    for (let after: number | undefined = 0; after !== undefined;) {
      const slice: CallResults["prune"] = await this.#thread.call("prune", { ...times, after });
      dropped += slice.dropped;
      after = slice.next;
    }
    return dropped;
  }

  stats(): Promise<CallResults["stats"]> {
    return this.#thread.call("stats");
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

const PIECE = 200;
