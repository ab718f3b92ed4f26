import { access, constants, open } from "node:fs/promises";
import { join } from "node:path";
import type { CallParams, CallResults } from "./calls.ts";
import { messageOf } from "../../../system/error-message.ts";
import { StoreError } from "../errors.ts";
import { checkPresence, noteClosed, type StoreIdentity, writeIdentity } from "./file/identity.ts";
import type { StoreMigration } from "../written-by.ts";
import type { Item } from "../item.ts";
import type { Forgotten, ForgetQuery, ItemQuery, JournalQuery, JournalRow } from "../listings.ts";
import type { Presence } from "../presence.ts";
import type { Store } from "../store.ts";
import { PresentProcesses } from "../presence.ts";
import { StoreThread } from "./thread-port.ts";
import { isExistingFile } from "../../../system/files/missing-file.ts";
import { refuseUnsafe } from "../../../system/files/own-file.ts";
import { shell } from "../../../text/shell.ts";
import { errorCode } from "../../../system/error-code.ts";
import { makeOwnFolder } from "../../../system/files/created-folder.ts";

export interface SqliteOptions {
  /** Maximum size of the store in bytes. A full store refuses writes. Default: unlimited. */
  readonly maxBytes?: number;
  /** Whether to open the store only for reading. It must exist, and writes fail. */
  readonly readOnly?: boolean;
  /** Called when the store fails for good: its thread ended, or its file is damaged or gone. */
  readonly onDied?: (error: StoreError) => void;
  /** Called after files of an older version were migrated, with the path of their unchanged copy. */
  readonly onMigrated?: (migrated: StoreMigration) => void;
}

/**
 * Opens the store in `folder`: one SQLite file, which a worker thread of this process holds open and locked.
 *
 * @throws {StoreError} if the folder can't be created, another process uses the store, a newer version wrote the store,
 *   or files are missing or damaged.
 */
export async function openSqliteStore(folder: string, options: SqliteOptions): Promise<Store> {
  const path = join(folder, "store.db");
  const { maxBytes, readOnly = false, onDied = () => {}, onMigrated } = options;
  const identity = await (readOnly ? checkPresence(folder) : presentIn(folder, path));
  let ended: ClosingNote = NO_NOTE;
  const thread = await StoreThread.start({ path, maxBytes, readOnly }, (error) => {
    // After `store-gone`, store.id is not changed to `closed`: the folder may belong to another store by now, and the
    // WAL was not moved into the file.
    if (error.code === "store-gone") ended.drop();
    else ended.write();
    onDied(error);
  });
  try {
    const { id, migrated } = thread.ready;
    if (identity?.id !== undefined && identity.id !== id) throw anotherStore(folder);
    if (readOnly) {
      // Closing checkpoints the WAL of a killed bot into the file, as a regular stop would have.
      if (identity?.state === "in-use") ended = noteClosedAtEnd(folder, id);
      return new SqliteStore(thread, ended);
    }
    await writeIdentity(folder, { id, state: "in-use" }).catch(unwritable(folder));
    ended = noteClosedAtEnd(folder, id);
    if (migrated !== undefined) onMigrated?.(migrated);
    return new SqliteStore(thread, ended);
  } catch (error) {
    await thread.close();
    throw error;
  }
}

/** Creates the folder and the file if they are missing. Checks that no file of an existing store is missing. */
async function presentIn(folder: string, path: string): Promise<StoreIdentity | undefined> {
  await makeOwnFolder(folder).catch(unwritable(folder));
  const identity = await checkPresence(folder);
  try {
    // Created here with mode 0600, so that other users can never read it. SQLite gives its other files the same mode. An
    // existing file is not opened: closing it would release this process's locks on it.
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    if (!isExistingFile(error)) unwritable(folder)(error);
    refuseUnsafe(path);
  }
  for (const each of [folder, path]) await access(each, constants.W_OK).catch(unwritable(folder));
  return identity;
}

function unwritable(folder: string): (cause: unknown) => never {
  return (cause) => {
    const isFull = errorCode(cause) === "ENOSPC";
    throw new StoreError(
      isFull ? "store-full" : "store-io",
      `the store can't be created in ${folder}: ${messageOf(cause)}`,
      {
        cause,
        hint: isFull ? "free some space" : "choose a folder that this user may write to",
      },
    );
  };
}

function anotherStore(folder: string): StoreError {
  return new StoreError("store-gone", `${folder}: store.db is not the store that store.id names`, {
    hint: `put the right file back, or accept this one: ${shell`rm ${join(folder, "store.id")}`}`,
  });
}

/** Executor of calls: a worker thread that holds the file, or an engine in the caller's thread. */
export type StoreCaller = Pick<StoreThread, "ready" | "call" | "close">;

/** Store that forwards its calls to the SQLite engine. */
export class SqliteStore implements Store {
  readonly partitions: number;
  readonly isShared = false;
  readonly #present = new PresentProcesses();
  readonly #thread: StoreCaller;
  readonly #noteClosed: ClosingNote;

  /** @param noteClosed Note in `store.id` that is written before the store is closed. */
  constructor(thread: StoreCaller, noteClosed: ClosingNote = NO_NOTE) {
    this.partitions = thread.ready.partitions;
    this.#thread = thread;
    this.#noteClosed = noteClosed;
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

  /** Does nothing: leases and presence are in memory, so they ended with the process. */
  async releaseEnded(): Promise<void> {}

  async clock(): Promise<number> {
    return Date.now();
  }

  partitionLag(...args: Parameters<Store["partitionLag"]>) {
    return this.#thread.call("partitionLag", ...args);
  }

  /** Registers a part of the runtime in memory only: all parts that use this store run in this process. */
  async attend(...args: Parameters<Store["attend"]>): Promise<readonly Presence[]> {
    return this.#present.attend(...args);
  }

  fetch(...[leases, now, limit, busy = []]: Parameters<Store["fetch"]>) {
    return this.#thread.call("fetch", leases, now, limit, busy);
  }

  listeners(...args: CallParams["listeners"]): Promise<CallResults["listeners"]> {
    return this.#thread.call("listeners", ...args);
  }

  slots(...args: CallParams["slots"]): Promise<CallResults["slots"]> {
    return this.#thread.call("slots", ...args);
  }

  runsOf(...args: CallParams["runsOf"]): Promise<CallResults["runsOf"]> {
    return this.#thread.call("runsOf", ...args);
  }

  silences(...args: CallParams["silences"]): Promise<CallResults["silences"]> {
    return this.#thread.call("silences", ...args);
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

  /** Splits a long listing into small queries, so that waiting appends run between the queries. */
  async journal(query: JournalQuery): Promise<readonly JournalRow[]> {
    const entries: JournalRow[] = [];
    for (let { before } = query; ;) {
      const limit = Math.min(PIECE, query.limit - entries.length);
      const from = before === undefined ? {} : { before };
      const { rows, next } = await this.#thread.call("journal", { ...query, ...from, limit });
      entries.push(...rows);
      before = rows.length < limit ? next : rows.at(-1)?.seq;
      if (entries.length >= query.limit || before === undefined) return entries;
    }
  }

  async items(query: ItemQuery): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (let { before } = query; ;) {
      const limit = Math.min(PIECE, query.limit - items.length);
      const from = before === undefined ? {} : { before };
      const rows = await this.#thread.call("items", { ...query, ...from, limit });
      items.push(...rows);
      before = rows.length < limit ? undefined : rows.at(-1)?.id;
      if (items.length >= query.limit || before === undefined) return items;
    }
  }

  isForgotten(...args: CallParams["isForgotten"]): Promise<boolean> {
    return this.#thread.call("isForgotten", ...args);
  }

  escalations(...args: CallParams["escalations"]): Promise<CallResults["escalations"]> {
    return this.#thread.call("escalations", ...args);
  }

  resolveEscalation(
    ...args: CallParams["resolveEscalation"]
  ): Promise<CallResults["resolveEscalation"]> {
    return this.#thread.call("resolveEscalation", ...args);
  }

  getMeta(...args: CallParams["getMeta"]): Promise<string | undefined> {
    return this.#thread.call("getMeta", ...args);
  }

  metas(...args: CallParams["metas"]): Promise<CallResults["metas"]> {
    return this.#thread.call("metas", ...args);
  }

  setMeta(...args: CallParams["setMeta"]): Promise<void> {
    return this.#thread.call("setMeta", ...args);
  }

  changeMetas(...args: CallParams["changeMetas"]): Promise<boolean> {
    return this.#thread.call("changeMetas", ...args);
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

  coverageGaps(...args: CallParams["coverageGaps"]): Promise<CallResults["coverageGaps"]> {
    return this.#thread.call("coverageGaps", ...args);
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

  async forget(person: ForgetQuery): Promise<Forgotten> {
    const sum = { entries: 0, items: 0, state: 0, left: 0 };
    for (let from: CallResults["forget"]["next"] = { after: 0, key: "" }; from !== undefined;) {
      const slice: CallResults["forget"] = await this.#thread.call("forget", {
        ...person,
        ...from,
      });
      for (const name of ["entries", "items", "state", "left"] as const) sum[name] += slice[name];
      from = slice.next;
    }
    // A checkpoint that truncates the WAL removes the forgotten data from it.
    await this.#thread.call("hold");
    await this.#thread.call("letGo");
    return sum;
  }

  startRestored(...args: CallParams["startRestored"]): Promise<number> {
    return this.#thread.call("startRestored", ...args);
  }

  hold(): Promise<CallResults["hold"]> {
    return this.#thread.call("hold");
  }

  letGo(): Promise<boolean> {
    return this.#thread.call("letGo");
  }

  stats(): Promise<CallResults["stats"]> {
    return this.#thread.call("stats");
  }

  async close(): Promise<void> {
    this.#noteClosed.write();
    await this.#thread.close();
  }
}

/** Note in `store.id` that the store is closed. */
interface ClosingNote {
  /** Writes the note that the store is closed, at the first call only. */
  readonly write: () => void;
  /** Prevents the note that the store is closed from being written. */
  readonly drop: () => void;
}

const NO_NOTE: ClosingNote = { write: () => {}, drop: () => {} };

/**
 * Prepares the note that the store is closed. It is also written when the process exits without closing the store.
 *
 * Only a killed process leaves a WAL file behind. At any other exit SQLite first checkpoints the WAL into the database.
 */
function noteClosedAtEnd(folder: string, id: string): ClosingNote {
  let isDue = true;
  const drop = (): void => {
    isDue = false;
    process.off("exit", write);
  };
  const write = (): void => {
    if (!isDue) return;
    drop();
    noteClosed(folder, id);
  };
  process.on("exit", write);
  return { write, drop };
}

const PIECE = 200;
