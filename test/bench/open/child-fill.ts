/** `child-fill.ts FOLDER ENTRIES`: creates a store with ENTRIES received messages, a tenth of them answered. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openEngine } from "../../../src/runtime/store/sqlite/engine.ts";
import { openFile } from "../../../src/runtime/store/sqlite/file/open-file.ts";

const PIECE = 100_000;

const folder = process.argv[2] ?? "";
const entries = Number(process.argv[3]);
await mkdir(folder);
const path = join(folder, "store.db");
const file = openFile({ path });
const { db } = file;
const { counters } = openEngine(file, { path, maxBytes: undefined });
const body = JSON.stringify({ text: "x".repeat(200) });
db.exec("PRAGMA synchronous = OFF");
for (let from = 1; from <= entries; from += PIECE) {
  const to = Math.min(entries, from + PIECE - 1);
  const seqs = `WITH RECURSIVE n (seq) AS (SELECT ${from} UNION ALL SELECT seq + 1 FROM n WHERE seq < ${to})`;
  const lane = "'100/' || (seq * 7919 % 100000)";
  db.exec("BEGIN");
  db.exec(`${seqs} INSERT INTO journal (seq, key, account, lane, kind, at, arrived_at, source, body)
    SELECT seq, printf('message:%019d', seq), '100', ${lane}, 'message', seq, seq, 'webhook', '${body}' FROM n`);
  db.exec(`${seqs} INSERT INTO decisions (seq, state, attempts, decided_at, decision)
    SELECT seq, 'done', 0, seq, '{"verdicts":[]}' FROM n`);
  db.exec(`${seqs} INSERT INTO items (id, key, run, seq, account, lane, action, status, not_before, settled_at)
    SELECT seq, printf('%019d/rule:faq/1', seq), seq || '/rule:faq', seq, '100', ${lane},
      '{"type":"reply_dm","to":"200","text":"hi"}', 'sent', 0, seq FROM n WHERE seq % 10 = 0`);
  counters.add("seq", to - from + 1);
  counters.add("journal", to - from + 1);
  counters.add("item", to - from + 1);
  counters.flush();
  db.exec("COMMIT");
  counters.keep();
}
db.close();
