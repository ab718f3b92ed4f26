import type { MarkedEntries } from "../../listings.ts";
import { echoKeys } from "../../forgetting/forgotten-hash.ts";
import { markText, withoutMarked } from "../../forgetting/marked-entries.ts";
import { runId } from "../../run.ts";
import type { Afterwards } from "../../in-memory/afterwards.ts";
import type { AnswerCounts } from "../../in-memory/answer-counts.ts";
import type { EntryRow, ItemRow, RunRow } from "../../tables/rows.ts";
import type { Database } from "../binding.ts";
import type { ForgetSlice, ForgetStep, Operations } from "../calls.ts";
import type { Counters } from "../counters.ts";
import type { Escalations } from "../escalations.ts";
import type { ForgottenKeys } from "./forgotten-keys.ts";
import { IS_OPEN, type JournalTable } from "../journal.ts";
import type { OpenItems } from "../waiting/open-items.ts";
import type { State } from "../state.ts";
import type { MachinePort } from "../../machine/port.ts";
import { moveItem } from "../../machine/items.ts";
import { wakeNext } from "../../machine/transition.ts";
import { isSettled } from "../../item.ts";
import { ERASED } from "../../transition.ts";
import type { OutboxTable } from "../outbox.ts";
import type { KnownRun } from "../runs.ts";
import type { WaitingInputs } from "../waiting/waiting-inputs.ts";

/** Dependencies of {@link Forget}. */
interface ForgetParts {
  readonly counters: Counters;
  readonly journal: JournalTable;
  readonly forgotten: ForgottenKeys;
  readonly waiting: WaitingInputs;
  readonly open: OpenItems;
  readonly outbox: Pick<OutboxTable, "addressedTo" | "find" | "drop">;
  readonly machine: MachinePort<KnownRun>;
  readonly escalations: Escalations;
  readonly afterwards: Afterwards;
  readonly state: State;
  readonly limits: Pick<AnswerCounts, "dropAll">;
}

type OpenRow = Pick<RunRow, "ordinal" | "owner" | "status" | "slot">;
type ItemOfEntry = Pick<ItemRow, "id" | "account" | "lane" | "settled_at" | "platform_id">;
type NamedEntry = Pick<EntryRow, "seq" | "key" | "account" | "lane" | "arrived_at"> & {
  readonly open: number;
};

/** Removes all data of one person from the tables in pieces, including pending work. */
export class Forget {
  readonly #parts: ForgetParts;
  readonly #last;
  readonly #named;
  readonly #inputs;
  readonly #endWork;
  readonly #items;
  readonly #isAwaited;
  readonly #runs;
  readonly #dropTimers;
  readonly #keys;
  readonly #dropState;
  readonly #marked;

  constructor(db: Database, parts: ForgetParts) {
    this.#parts = parts;
    this.#last = db.prepare<{ seq: number | null }>("SELECT max(seq) AS seq FROM journal");
    this.#named = db.prepare<NamedEntry>(
      `SELECT seq, key, account, lane, arrived_at, ${IS_OPEN} AS open FROM journal AS j
       WHERE seq > ? AND seq <= ? AND (lane = account || '/' || ? OR instr(body, ?) > 0)`,
    );
    this.#inputs = db.prepare<{ id: number; lane: string; item: number | null }>(
      "SELECT id, lane, item FROM work WHERE kind = 'input' AND (id = ? OR item IS NOT NULL)",
    );
    this.#endWork = db.prepare("DELETE FROM work WHERE kind = ? AND id = ?");
    this.#items = db.prepare<ItemOfEntry>(
      "SELECT id, account, lane, settled_at, platform_id FROM items WHERE seq = ?",
    );
    this.#isAwaited = db.prepare("SELECT 1 FROM work WHERE kind = 'input' AND item = ?");
    this.#runs = db.prepare<OpenRow>(
      "SELECT ordinal, owner, status, slot FROM runs WHERE seq = ? AND status IN ('ready', 'waiting')",
    );
    this.#dropTimers = db.prepare("DELETE FROM timers WHERE run = ?");
    this.#keys = db.prepare<{ key: string }>(
      "SELECT key FROM state WHERE key > ? ORDER BY key LIMIT ?",
    );
    this.#dropState = db.prepare("DELETE FROM state WHERE key = ?");
    this.#marked = db.prepare<{ value: string; expires_at: number | null }>(
      "SELECT value, expires_at FROM state WHERE key = ? AND instr(value, ?) > 0",
    );
  }

  /**
   * Removes state first, so that after a crash the person's handle is still found in the entries; then entries; then
   * state again, because work of the entries may have written state until they were removed.
   */
  readonly forget: Operations["forget"] = ({ key, ...step }) =>
    key === undefined ? this.#forgetEntries(step) : this.#forgetState(step, key);

  #forgetEntries(step: ForgetStep): ForgetSlice {
    const { counters, journal } = this.#parts;
    // An escalation may still be open although the entry that caused it was pruned.
    if (step.after === 0) this.#parts.escalations.forget(step, 0);
    const end = step.after + STRETCH;
    const named = this.#named.all(step.after, end, step.id, `"${step.id}"`);
    // Other people's entries that are still open stay, because these people wait for answers.
    const gone = named.filter((entry) => entry.open === 0 || isOwn(entry, step.id));
    const freed = gone.flatMap(({ seq }) => this.#endOpen(seq));
    let items = 0;
    for (const entry of gone) {
      this.#parts.escalations.forget(step, entry.seq);
      this.#parts.forgotten.add(entry.key, entry.account, entry.arrived_at);
      for (const item of this.#items.all(entry.seq)) this.#addEchoes(item);
      items += journal.drop(entry.seq);
    }
    for (const slot of freed) wakeNext(this.#parts.machine, slot, step.now);
    counters.add("journal", -gone.length);
    const others = this.#forgetItems(step, end);
    items += others.items;
    if (gone.length + items > 0) {
      counters.save();
      this.#parts.limits.dropAll();
    }
    const isLast = (this.#last.get()?.seq ?? 0) <= end;
    const next = { after: end, ...(isLast && { key: "" }) };
    const rest = { left: named.length - gone.length + others.left };
    return { entries: gone.length, items, state: 0, ...rest, next };
  }

  /** Deletes the items to the person that other people's entries have caused. Nothing more is sent to the person. */
  #forgetItems({ id, after, now }: ForgetStep, end: number): Pick<ForgetSlice, "items" | "left"> {
    const { outbox, machine } = this.#parts;
    const addressed = outbox.addressedTo(id, after, end);
    let items = 0;
    for (const item of addressed) {
      // The outcome of a request that is under way still has to be stored.
      if (item.status === "sending") continue;
      if (!isSettled(item.status)) {
        moveItem(machine, item, { from: item.status, to: "expired", at: now, reason: ERASED });
      }
      // The run that waits for the item continues with it.
      if (this.#isAwaited.get(item.id) !== undefined) continue;
      this.#addEchoes(item);
      outbox.drop(outbox.find(item.id) ?? item);
      items += 1;
    }
    return { items, left: addressed.length - items };
  }

  #addEchoes({ account, settled_at: at, platform_id: id }: ItemOfEntry): void {
    if (id === null || at === null) return;
    for (const key of echoKeys(id)) this.#parts.forgotten.add(key, account, at);
  }

  #forgetState({ id, after, marked }: ForgetStep, afterKey: string): ForgetSlice {
    const keys = this.#keys.all(afterKey, STRETCH).map(({ key }) => key);
    const theirs = keys.filter((key) => key.endsWith(`/${id}`) || key.includes(`/${id}/`));
    for (const key of theirs) this.#dropState.run(key);
    if (marked !== undefined) for (const key of keys) this.#leaveOut(key, marked);
    const lastKey = keys.length < STRETCH ? undefined : keys.at(-1);
    const isSecond = after > 0;
    const next =
      lastKey === undefined ? (isSecond ? undefined : { after }) : { after, key: lastKey };
    return { entries: 0, items: 0, state: theirs.length, left: 0, next };
  }

  /** Erases the person's entries from a value of user state that may also contain entries of other people. */
  #leaveOut(key: string, { prefix, mark }: MarkedEntries): void {
    const row = key.startsWith(prefix) ? this.#marked.get(key, markText(mark)) : undefined;
    if (row === undefined) return;
    const value = withoutMarked(row.value, mark);
    const { expires_at: expiresAt } = row;
    this.#parts.state.write({ key, value, version: 0, ...(expiresAt !== null && { expiresAt }) });
  }

  /** Ends pending work of an entry. @returns The slots that become free. */
  #endOpen(seq: number): readonly string[] {
    const { counters, waiting, open, afterwards } = this.#parts;
    const items = this.#items.all(seq);
    const settled = new Set(items.map(({ id }) => id));
    for (const { id, lane, item } of this.#inputs.all(seq)) {
      if (id !== seq && (item === null || !settled.has(item))) continue;
      this.#endWork.run("input", id);
      counters.add("inbox", -1);
      afterwards.add(() => waiting.remove({ lane, seq: id }));
    }
    for (const { id, lane, settled_at: settledAt } of items) {
      if (settledAt !== null) continue;
      this.#endWork.run("item", id);
      afterwards.add(() => open.remove({ id, lane }));
    }
    return this.#runs.all(seq).flatMap(({ ordinal, owner, status, slot }) => {
      this.#endWork.run("run", ordinal);
      this.#dropTimers.run(runId(seq, owner));
      counters.add(`run.${status}`, -1);
      return slot ?? [];
    });
  }
}

function isOwn({ account, lane }: NamedEntry, id: string): boolean {
  return lane === `${account}/${id}`;
}

/** Number of entries, and of keys of user state, that one piece scans. A piece takes some milliseconds. */
const STRETCH = 1_000;
