import { access, constants, mkdir, open } from "node:fs/promises";
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
import { PresentProcesses } from "../present-processes.ts";
import { StoreThread } from "./thread-port.ts";
import { isExistingFile } from "../../../system/missing-file.ts";
import { refuseUnsafe } from "../../../system/own-file.ts";
import { shell } from "../../../text/shell.ts";

export interface SqliteOptions {
  /** Size in bytes past which the store takes nothing more. Unlimited unless said. */
  readonly maxBytes?: number;
  /** It is there already, and nothing of it is to be changed: what would do so fails. */
  readonly readOnly?: boolean;
  /** Called when the store can't go on by itself: its thread ended, or its file is damaged or gone. */
  readonly onDied?: (error: StoreError) => void;
  /** Called when the files of an older version were brought up, with where they are kept as they were. */
  readonly onMigrated?: (migrated: StoreMigration) => void;
}

/**
 * Opens the store in `folder`: one SQLite file, held by one thread of this process.
 *
 * @throws {StoreError} when the folder can't be made, is held, was written by a newer version, or is not
 *   whole.
 */
export async function openSqliteStore(folder: string, options: SqliteOptions): Promise<Store> {
  const path = join(folder, "store.db");
  const { maxBytes, readOnly = false, onDied = () => {}, onMigrated } = options;
  const known = await (readOnly ? checkPresence(folder) : presentIn(folder, path));
  let ended: ClosingNote = NO_NOTE;
  const thread = await StoreThread.start({ path, maxBytes, readOnly }, (error) => {
    // The folder may be another's by now, and the log of writes is where it was.
    if (error.code === "store-gone") ended.drop();
    else ended.write();
    onDied(error);
  });
  try {
    const { id, migrated } = thread.found;
    if (known?.id !== undefined && known.id !== id) throw anotherStore(folder);
    if (readOnly) {
      // Closing puts the log of a bot that was killed into the file, as stopping it would have.
      if (known?.state === "in-use") ended = noteClosedAtEnd(folder, id);
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

/** Makes folder and file where there are none, and looks whether all is there where there were some. */
async function presentIn(folder: string, path: string): Promise<StoreIdentity | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(unwritable(folder));
  const known = await checkPresence(folder);
  try {
    // Made here, so that nobody else may read it from its first byte; SQLite's other files follow it.
    // One that is there is not opened: closing it would take this process's locks from it.
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    if (!isExistingFile(error)) unwritable(folder)(error);
    refuseUnsafe(path);
  }
  for (const each of [folder, path]) await access(each, constants.W_OK).catch(unwritable(folder));
  return known;
}

function unwritable(folder: string): (cause: unknown) => never {
  return (cause) => {
    const isFull = cause instanceof Error && "code" in cause && cause.code === "ENOSPC";
    throw new StoreError(
      isFull ? "store-full" : "store-io",
      `the store can't be made in ${folder}: ${messageOf(cause)}`,
      {
        cause,
        hint: isFull ? "free some space" : "choose a folder that this user may write to",
      },
    );
  };
}

function anotherStore(folder: string): StoreError {
  return new StoreError(
    "store-gone",
    `${folder}: store.db is another store than store.id tells of`,
    {
      hint: `put the right one back, or take this one for it: ${shell`rm ${join(folder, "store.id")}`}`,
    },
  );
}

/** What carries calls to the engine: a thread that holds the file, or the engine at hand. */
export type StoreCaller = Pick<StoreThread, "found" | "call" | "close">;

/** The store's contract over the calls of the engine. */
export class SqliteStore implements Store {
  readonly partitions: number;
  readonly isShared = false;
  readonly #present = new PresentProcesses();
  readonly #thread: StoreCaller;
  readonly #noteClosed: ClosingNote;

  /** @param noteClosed Written before it is closed. */
  constructor(thread: StoreCaller, noteClosed: ClosingNote = NO_NOTE) {
    this.partitions = thread.found.partitions;
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

  async clock(): Promise<number> {
    return Date.now();
  }

  partitionLag(...args: Parameters<Store["partitionLag"]>) {
    return this.#thread.call("partitionLag", ...args);
  }

  /** All of them are parts of this process: what they say is nobody's after it. */
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
    // What the log of writes still has of them goes with it.
    await this.#thread.call("hold");
    await this.#thread.call("letGo");
    return sum;
  }

  takeUp(...args: CallParams["takeUp"]): Promise<number> {
    return this.#thread.call("takeUp", ...args);
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

/** The note in `store.id` that the store is closed. */
interface ClosingNote {
  /** Writes the note, once. */
  readonly write: () => void;
  /** Has the note never written. */
  readonly drop: () => void;
}

const NO_NOTE: ClosingNote = { write: () => {}, drop: () => {} };

/**
 * Prepares the note that the store is closed; it is also written when the process ends of itself.
 *
 * One that is killed leaves the log of writes; in all other ends SQLite puts it into the file first.
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
