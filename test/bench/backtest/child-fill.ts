/**
 * `child-fill.ts FOLDER EVENTS RULES`: creates a bot's project with a day of EVENTS messages in its journal, and edited rules.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { translate } from "../../../src/events/translate.ts";
import { openEngine } from "../../../src/runtime/store/sqlite/engine.ts";
import { openFile } from "../../../src/runtime/store/sqlite/file/open-file.ts";
import * as wire from "../../support/wire.ts";
import { type BenchRule, benchEvents, benchRules, yamlOf } from "../rules/rule-text.ts";

/** Number of different texts: each text repeats after this number of messages. */
const TEXTS = 20_000;
const PEOPLE = 20_000;
const DAY_MS = 24 * 60 * 60_000;
const PIECE = 50_000;

const folder = process.argv[2] ?? "";
const [events, count] = [Number(process.argv[3]), Number(process.argv[4])];
const rules = benchRules(count);
await mkdir(join(folder, "config/rules"), { recursive: true });
await mkdir(join(folder, "edited"));
await mkdir(join(folder, "data"));
const settings = "version: 1\nstore: file:../data\n";
await writeFile(join(folder, "config/answerback.yaml"), settings);
await writeFile(join(folder, "config/rules/faq.yaml"), cooled(rules));
const edited = cooled(rules.filter((_, place) => place !== 1)).replaceAll("10m}", "6h}");
await writeFile(join(folder, "edited/faq.yaml"), edited);

const texts = benchEvents(TEXTS, rules);
const begins = Date.now() - DAY_MS + 1_800_000;
const path = join(folder, "data/store.db");
const file = openFile({ path });
const { db } = file;
const { counters } = openEngine(file, { path, maxBytes: undefined });
db.exec("PRAGMA synchronous = OFF");
const insert = db.prepare(
  `INSERT INTO journal (seq, key, account, lane, kind, at, arrived_at, source, body)
   VALUES (?, ?, ?, ?, ?, ?, ?, 'webhook', ?)`,
);
const decide = db.prepare(
  `INSERT INTO decisions (seq, state, attempts, decided_at, decision) VALUES (?, 'done', 0, ?, '{"ran":[]}')`,
);
for (let first = 1; first <= events; first += PIECE) {
  db.exec("BEGIN");
  const last = Math.min(events, first + PIECE - 1);
  for (let seq = first; seq <= last; seq += 1) {
    const at = begins + Math.floor((seq * (DAY_MS - 2_400_000)) / events);
    const from = String(1_000_000 + ((seq * 7919) % PEOPLE));
    const { text = "" } = texts[seq % TEXTS] ?? {};
    const body = wire.message({ id: String(seq), from, text, at });
    const event = translate(body, at)[0]?.event;
    if (event === undefined) throw new Error("no event");
    const { key, accountId, lane, kind } = event;
    insert.run(seq, key, accountId, lane, kind, at, at, JSON.stringify(body));
    decide.run(seq, at);
  }
  counters.set("seq", last);
  counters.set("entry", last);
  counters.add("journal", last - first + 1);
  counters.flush();
  db.exec("COMMIT");
  counters.keep();
}
counters.save();
db.close();

/** Adds a cooldown to each rule: one answer to a person in ten minutes. */
function cooled(all: readonly BenchRule[]): string {
  const cooldown = "cooldown: {per: sender, for: 10m}";
  return yamlOf(all).replaceAll("    actions:", `    ${cooldown}\n    actions:`);
}
