import {
  parentPort,
  receiveMessageOnPort,
  workerData,
  type MessagePort,
} from "node:worker_threads";
import { openDatabase, type Database } from "./binding.ts";
import { type Call, type Said, type ThreadOptions, type Told, WRITES } from "./calls.ts";
import { type Engine, openEngine } from "./engine.ts";
import { faultOf, read, write } from "./group.ts";

/** The thread that holds the file: takes whatever waits, writes it in one transaction, answers. */
function serve(port: MessagePort, db: Database, engine: Engine): void {
  const say = (said: Said): void => port.postMessage(said);
  port.on("message", (first: Told) => {
    const calls: Call[] = [];
    let closing = false;
    for (let told: Told | undefined = first; told !== undefined; told = next(port)) {
      if ("calls" in told) calls.push(...told.calls);
      else closing = true;
    }
    const writes = calls.filter(({ op }) => WRITES.has(op));
    if (writes.length > 0) say({ answers: write(db, engine, writes) });
    const reads = calls.filter(({ op }) => !WRITES.has(op));
    if (reads.length > 0) say({ answers: reads.map((call) => read(engine, call)) });
    if (closing) {
      db.close();
      port.close();
    }
  });
  say({ ready: { partitions: engine.partitions } });
}

function next(port: MessagePort): Told | undefined {
  const waiting: { message: Told } | undefined = receiveMessageOnPort(port);
  return waiting?.message;
}

function start(port: MessagePort, { path, maxBytes }: ThreadOptions): void {
  let db: Database | undefined;
  let engine: Engine;
  try {
    db = openDatabase(path);
    engine = openEngine(db, maxBytes);
  } catch (error) {
    port.postMessage({ refused: faultOf(error) } satisfies Said);
    db?.close();
    return;
  }
  serve(port, db, engine);
}

if (parentPort !== null) start(parentPort, workerData);
