import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import type { Gives, Takes } from "./calls.ts";
import { StoreError } from "../errors.ts";
import type { Entry, Item, ItemQuery, JournalQuery, JournalRow, Store } from "../store.ts";
import { Thread } from "./thread-port.ts";

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
    throw new StoreError("E_STORE_IO", `the store can't be made in ${folder}: ${String(cause)}`, {
      cause,
      hint: "Choose a folder that this user may write to.",
    });
  }
  return new SqliteStore(await Thread.start({ path, maxBytes: options.maxBytes }));
}

class SqliteStore implements Store {
  readonly shared = false;
  readonly partitions: number;
  readonly #thread: Thread;

  constructor(thread: Thread) {
    this.#thread = thread;
    this.partitions = thread.partitions;
  }

  append(...args: Takes["append"]): Promise<Gives["append"]> {
    return this.#thread.ask("append", ...args);
  }

  async lease(worker: string, ttlMs: number) {
    const until = performance.now() + ttlMs;
    const held = await this.#thread.ask("lease", worker, ttlMs);
    return held.map((one) => ({ ...one, until }));
  }

  release(...args: Takes["release"]): Promise<void> {
    return this.#thread.ask("release", ...args);
  }

  fetch(...[leases, now, limit, busy = []]: Parameters<Store["fetch"]>): Promise<readonly Entry[]> {
    return this.#thread.ask("fetch", leases, now, limit, busy);
  }

  load(...args: Takes["load"]): Promise<Gives["load"]> {
    return this.#thread.ask("load", ...args);
  }

  commit(...args: Takes["commit"]): Promise<Gives["commit"]> {
    return this.#thread.ask("commit", ...args);
  }

  outbox(...args: Takes["outbox"]): Promise<Gives["outbox"]> {
    return this.#thread.ask("outbox", ...args);
  }

  mark(...args: Takes["mark"]): Promise<Gives["mark"]> {
    return this.#thread.ask("mark", ...args);
  }

  /** A long listing goes over in small ones, so that appends get their turn in between. */
  async journal(query: JournalQuery): Promise<readonly JournalRow[]> {
    const found: JournalRow[] = [];
    for (let { before } = query; ;) {
      const limit = Math.min(PIECE, query.limit - found.length);
      const from = before === undefined ? {} : { before };
      const { rows, next } = await this.#thread.ask("journal", { ...query, ...from, limit });
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
      const rows = await this.#thread.ask("items", { ...query, ...from, limit });
      found.push(...rows);
      before = rows.length < limit ? undefined : rows.at(-1)?.id;
      if (found.length >= query.limit || before === undefined) return found;
    }
  }

  getMeta(...args: Takes["getMeta"]): Promise<string | undefined> {
    return this.#thread.ask("getMeta", ...args);
  }

  setMeta(...args: Takes["setMeta"]): Promise<void> {
    return this.#thread.ask("setMeta", ...args);
  }

  async prune(before: number): Promise<number> {
    let dropped = 0;
    for (let after: number | undefined = 0; after !== undefined;) {
      const slice: Gives["prune"] = await this.#thread.ask("prune", before, after);
      dropped += slice.dropped;
      after = slice.next;
    }
    return dropped;
  }

  stats(): Promise<Gives["stats"]> {
    return this.#thread.ask("stats");
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

const PIECE = 200;
