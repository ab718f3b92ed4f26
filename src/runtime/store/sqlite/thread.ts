import {
  parentPort,
  receiveMessageOnPort,
  workerData,
  type MessagePort,
} from "node:worker_threads";
import type { Database } from "./binding.ts";
import {
  type FromStoreThread,
  type StoreCall,
  type StoreFault,
  type StoreThreadOptions,
  type ToStoreThread,
  WRITES,
} from "./calls.ts";
import { type Engine, openEngine } from "./engine.ts";
import { linkedFiles } from "./file/linked-files.ts";
import { type OpenedFile, openFile } from "./file/open-file.ts";
import { catchUp, faultOf, read, write } from "./group.ts";
import { count, countedDatabase } from "./file/work-counts.ts";

/** Maximum milliseconds until a write that was committed without a sync is synced to the disk. */
const SYNC_WITHIN_MS = 250;
/** Interval in milliseconds of checks for deleted files. Each write checks, too. */
const LOOK_EVERY_MS = 1_000;

/** Serves the calls to the store thread. Executes all waiting writes in one transaction, then posts their outcomes. */
function serve(
  port: MessagePort,
  db: Database,
  engine: Engine,
  { path, counts }: Pick<StoreThreadOptions, "path" | "counts">,
): void {
  const post = (message: FromStoreThread): void => port.postMessage(message);
  const faultOfFiles = linkedFiles(path);
  let syncing: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (lost?: StoreFault): void => {
    isOver = true;
    clearTimeout(syncing);
    clearInterval(looking);
    // If only the WAL was deleted, closing checkpoints its content into the file.
    db.close();
    if (lost !== undefined) post({ lost });
    port.close();
  };
  /** Whether the database files are still at their paths. Ends the thread if they are not. */
  const isLinked = (): boolean => {
    const lost = faultOfFiles();
    if (lost === undefined) return true;
    end(lost);
    return false;
  };
  const looking = setInterval(isLinked, LOOK_EVERY_MS);
  const sync = (): void => {
    syncing = undefined;
    catchUp(db, engine);
  };
  port.on("message", (first: ToStoreThread) => {
    // Messages that arrived before the port was closed are still delivered. Their senders get `lost` instead of an outcome.
    if (isOver) return;
    const calls: StoreCall[] = [];
    let closing = false;
    let message: ToStoreThread | undefined = first;
    for (; message !== undefined; message = next(port)) {
      count(counts, "trips");
      if ("calls" in message) calls.push(...message.calls);
      else closing = true;
    }
    const writes = calls.filter(({ name }) => WRITES.has(name));
    if (writes.length > 0) {
      const outcomes = write(db, engine, writes);
      // Checked after the commit: writes to a deleted file are not acknowledged.
      if (!isLinked()) return;
      post({ outcomes });
      if (engine.durability.isBehind) syncing ??= setTimeout(sync, SYNC_WITHIN_MS);
    }
    const reads = calls.filter(({ name }) => !WRITES.has(name));
    if (reads.length > 0) post({ outcomes: reads.map((call) => read(engine, call)) });
    if (closing) end();
  });
  const { partitions, id, migrated } = engine;
  post({ ready: { partitions, id, migrated } });
}

function next(port: MessagePort): ToStoreThread | undefined {
  const waiting: { message: ToStoreThread } | undefined = receiveMessageOnPort(port);
  return waiting?.message;
}

function start(port: MessagePort, options: StoreThreadOptions): void {
  const { counts } = options;
  let file: OpenedFile | undefined;
  let engine: Engine;
  try {
    file = openFile(options);
    if (counts !== undefined) file = { ...file, db: countedDatabase(file.db, counts) };
    engine = openEngine(file, options);
  } catch (error) {
    port.postMessage({ refused: faultOf(error) } satisfies FromStoreThread);
    file?.db.close();
    return;
  }
  serve(port, file.db, engine, options);
}

if (parentPort !== null) start(parentPort, workerData);
