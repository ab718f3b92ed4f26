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

/** What nothing waits for is on the device so soon, when nothing else takes it there before. */
const SYNC_WITHIN_MS = 250;
/** Milliseconds after which files that were taken away are noticed, when nothing is written. */
const LOOK_EVERY_MS = 1_000;

/** The thread that holds the file: takes whatever waits, writes it in one transaction, answers. */
function serve(port: MessagePort, db: Database, engine: Engine, path: string): void {
  const post = (message: FromStoreThread): void => port.postMessage(message);
  const faultOfFiles = linkedFiles(path);
  let syncing: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (lost?: StoreFault): void => {
    isOver = true;
    clearTimeout(syncing);
    clearInterval(looking);
    // Where only the log of writes is gone, this puts its content into the file.
    db.close();
    if (lost !== undefined) post({ lost });
    port.close();
  };
  /** Ends when the files were taken away. @returns Whether they are in place. */
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
    // Messages that had come before the port was closed still arrive; who sent them learns that the store is lost.
    if (isOver) return;
    const calls: StoreCall[] = [];
    let closing = false;
    let message: ToStoreThread | undefined = first;
    for (; message !== undefined; message = next(port)) {
      if ("calls" in message) calls.push(...message.calls);
      else closing = true;
    }
    const writes = calls.filter(({ name }) => WRITES.has(name));
    if (writes.length > 0) {
      const outcomes = write(db, engine, writes);
      // Looked at after the commit: nothing is acknowledged that went into a deleted file.
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
  let file: OpenedFile | undefined;
  let engine: Engine;
  try {
    file = openFile(options);
    engine = openEngine(file, options);
  } catch (error) {
    port.postMessage({ refused: faultOf(error) } satisfies FromStoreThread);
    file?.db.close();
    return;
  }
  serve(port, file.db, engine, options.path);
}

if (parentPort !== null) start(parentPort, workerData);
