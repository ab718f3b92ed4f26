/** `child-fill.ts FOLDER RUNS`: creates a store in which RUNS conversations wait for an answer. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openStore } from "../../../src/runtime/store/open.ts";
import { openEngine } from "../../../src/runtime/store/sqlite/engine.ts";
import { openFile } from "../../../src/runtime/store/sqlite/file/open-file.ts";
import { when } from "../../support/when.ts";
import { waitingBot } from "./bot.ts";

const PIECE = 100_000;

const folder = process.argv[2] ?? "";
const runs = Number(process.argv[3]);
await mkdir(folder);
const store = await openStore(`file:${folder}`);
const bot = await waitingBot(store);
await bot.hears("1", 1, "order status");
await when(async () => {
  await bot.sends();
  const { inbox, items } = await store.stats();
  return inbox === 0 && items.sent === 1 ? true : undefined;
});
await bot.end();
await store.close();

// The rows of one conversation are copied for all others.
const path = join(folder, "store.db");
const file = openFile({ path });
const { db } = file;
const { counters } = openEngine(file, { path, maxBytes: undefined });
db.exec("PRAGMA synchronous = OFF");
const first = counters.get("entry");
for (let from = 2; from <= runs; from += PIECE) {
  const to = Math.min(runs, from + PIECE - 1);
  const numbers = `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;
  const lane = "'100/' || (1000000 + i)";
  const seq = `${first} + 10 + i`;
  const person = "replace(body, '1000001', 1000000 + i)";
  db.exec("BEGIN");
  db.exec(`${numbers} INSERT INTO journal (seq, key, account, lane, kind, at, arrived_at, source, body)
    SELECT ${seq}, 'message:' || (1000000 + i), account, ${lane}, kind, at, arrived_at, source,
      replace(${person}, '"id":"1"', '"id":"' || (1000000 + i) || '"') FROM n, journal WHERE journal.seq = ${first}`);
  db.exec(`${numbers} INSERT INTO decisions (seq, state, attempts, decided_at, decision)
    SELECT ${seq}, state, attempts, decided_at, decision FROM n, decisions WHERE decisions.seq = ${first}`);
  db.exec(`${numbers} INSERT INTO runs (ordinal, seq, owner, account, lane, revision, status, waits_for, version, body, listens)
    SELECT 1 + i, ${seq}, owner, account, ${lane}, revision, status, (${seq}) || substr(waits_for, instr(waits_for, '/')),
      version, body, listens FROM n, runs WHERE runs.seq = ${first}`);
  db.exec(`${numbers} INSERT INTO work (kind, id, run)
    SELECT 'run', 1 + i, (${seq}) || '/rule:order' FROM n`);
  db.exec(`${numbers} INSERT INTO timers (id, run, lane, due_at)
    SELECT (${seq}) || substr(id, instr(id, '/')), (${seq}) || '/rule:order', ${lane}, due_at
    FROM n, timers WHERE timers.run = '${first}/rule:order'`);
  counters.set("seq", first + 10 + to);
  counters.set("entry", first + 10 + to);
  counters.add("journal", to - from + 1);
  counters.set("run", 1 + to);
  counters.flush();
  db.exec("COMMIT");
  counters.keep();
}
counters.save();
db.close();
