import {
  parentPort,
  receiveMessageOnPort,
  workerData,
  type MessagePort,
} from "node:worker_threads";
import { openDatabase, type Database } from "./binding.ts";
import {
  type FromStoreThread,
  type StoreCall,
  type StoreThreadOptions,
  type ToStoreThread,
  WRITES,
} from "./calls.ts";
import { type Engine, openEngine } from "./engine.ts";
import { catchUp, faultOf, read, write } from "./group.ts";

/** What nothing waits for is on the device so soon, when nothing else takes it there before. */
const SYNC_WITHIN_MS = 250;

/** The thread that holds the file: takes whatever waits, writes it in one transaction, answers. */
function serve(port: MessagePort, db: Database, engine: Engine): void {
  const post = (message: FromStoreThread): void => port.postMessage(message);
  let syncing: NodeJS.Timeout | undefined;
  const sync = (): void => {
    syncing = undefined;
    catchUp(db, engine);
  };
  port.on("message", (first: ToStoreThread) => {
    const calls: StoreCall[] = [];
    let closing = false;
    let message: ToStoreThread | undefined = first;
    for (; message !== undefined; message = next(port)) {
      if ("calls" in message) calls.push(...message.calls);
      else closing = true;
    }
    const writes = calls.filter(({ name }) => WRITES.has(name));
    if (writes.length > 0) {
      post({ outcomes: write(db, engine, writes) });
      if (engine.durability.isBehind) syncing ??= setTimeout(sync, SYNC_WITHIN_MS);
    }
    const reads = calls.filter(({ name }) => !WRITES.has(name));
    if (reads.length > 0) post({ outcomes: reads.map((call) => read(engine, call)) });
    if (closing) {
      clearTimeout(syncing);
      db.close();
      port.close();
    }
  });
  const { partitions, id, migrated } = engine;
  post({ ready: { partitions, id, migrated } });
}

function next(port: MessagePort): ToStoreThread | undefined {
  const waiting: { message: ToStoreThread } | undefined = receiveMessageOnPort(port);
  return waiting?.message;
}

function start(port: MessagePort, options: StoreThreadOptions): void {
  let db: Database | undefined;
  let engine: Engine;
  try {
    db = openDatabase(options.path);
    engine = openEngine(db, options);
  } catch (error) {
    port.postMessage({ refused: faultOf(error) } satisfies FromStoreThread);
    db?.close();
    return;
  }
  serve(port, db, engine);
}

if (parentPort !== null) start(parentPort, workerData);
