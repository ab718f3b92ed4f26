import {
  type EscalationRow,
  NEW_ESCALATION,
  newEscalationRow,
  toEscalation,
} from "../tables/rows.ts";
import { ESCALATIONS } from "../tables/tables.ts";
import type { NewEscalation, Silence } from "../escalation.ts";
import type { ForgetQuery } from "../listings.ts";
import type { Afterwards } from "../in-memory/afterwards.ts";
import type { Database } from "./binding.ts";
import { accountOf } from "../partition.ts";
import type { Operations } from "./calls.ts";
import { rowInsert } from "./row-writes.ts";
import { Select } from "./select.ts";

/** Escalations, and the silences of rules and bots that they cause. */
export class Escalations {
  readonly #afterwards: Afterwards;
  /** Silences by lane or account. Held in memory, because there are few silences, and every input has to check them. */
  readonly #silences = new Map<string, readonly Silence[]>();
  readonly #insert;
  readonly #row;
  readonly #list;
  readonly #resolve;
  readonly #open;
  readonly #dropResolved;
  readonly #theirs;
  readonly #drop;

  constructor(db: Database, afterwards: Afterwards) {
    this.#afterwards = afterwards;
    this.#insert = rowInsert(
      db,
      { ...NEW_ESCALATION, name: ESCALATIONS.name },
      "ON CONFLICT (key) DO NOTHING",
    );
    this.#row = db.prepare<EscalationRow>("SELECT * FROM escalations WHERE key = ?");
    this.#list = new Select<EscalationRow>(db);
    this.#resolve = db.prepare(
      "UPDATE escalations SET resolved_at = ? WHERE id = ? AND resolved_at IS NULL",
    );
    this.#open = db.prepare<{ queue: string; n: number }>(
      "SELECT queue, count(*) AS n FROM escalations WHERE resolved_at IS NULL GROUP BY queue",
    );
    this.#dropResolved = db.prepare(
      `DELETE FROM escalations WHERE resolved_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM journal AS j WHERE j.seq = escalations.seq)`,
    );
    this.#theirs = db.prepare<EscalationRow>(
      `SELECT * FROM escalations AS e WHERE lane = account || '/' || ? OR seq = ?
         OR (lower(username) = lower(?) AND NOT EXISTS (SELECT 1 FROM journal AS j WHERE j.seq = e.seq))`,
    );
    this.#drop = db.prepare("DELETE FROM escalations WHERE id = ?");
    const silent = db.prepare<EscalationRow>(
      "SELECT * FROM escalations WHERE silent_in IS NOT NULL AND resolved_at IS NULL",
    );
    for (const row of silent.all()) this.#begin(row);
  }

  /** Returns the silences of a lane, including silences that have ended. */
  readonly silences: Operations["silences"] = (lane) => {
    if (this.#silences.size === 0) return NONE;
    const ofAccount = this.#silences.get(accountOf(lane)) ?? NONE;
    return [...ofAccount, ...(this.#silences.get(lane) ?? NONE)].sort((a, b) => a.id - b.id);
  };

  add(one: NewEscalation): void {
    const added = this.#insert(newEscalationRow(one));
    const row = added === 0 ? undefined : this.#row.get(one.key);
    if (row === undefined || row.silent_in === null) return;
    this.#begin(row);
    this.#afterwards.elseUndo(() => this.#end(row));
  }

  readonly escalations: Operations["escalations"] = ({
    id,
    open,
    queue,
    account,
    person,
    before,
    limit,
  }) => {
    const where = open === undefined ? "" : `WHERE (resolved_at IS NULL) = ${open ? 1 : 0}`;
    const from = `SELECT * FROM (SELECT * FROM escalations ${where}) AS e`;
    const rows = this.#list.newest(from, "e.id", limit, [
      ["e.id = ?", id],
      ["e.queue = ?", queue],
      ["e.account = ?", account],
      [`? IN ${PERSON}`, person?.toLowerCase()],
      ["e.id < ?", before],
    ]);
    return rows.map(toEscalation);
  };

  readonly resolveEscalation: Operations["resolveEscalation"] = (id, at) => {
    const [row] = this.#list.newest("SELECT * FROM escalations AS e", "e.id", 1, [
      ["e.id = ?", id],
    ]);
    if (row === undefined) return undefined;
    const changed = this.#resolve.run(at, id) > 0;
    if (changed && this.#isSilent(row)) {
      this.#end(row);
      this.#afterwards.elseUndo(() => this.#begin(row));
    }
    return { changed, escalation: toEscalation({ ...row, resolved_at: row.resolved_at ?? at }) };
  };

  /** Returns numbers of open escalations by queue. */
  openByQueue(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#open.all().map(({ queue, n }) => [queue, n]));
  }

  /** Deletes all escalations of a person and of an entry, including open ones. */
  forget({ id, username }: Pick<ForgetQuery, "id" | "username">, seq: number): void {
    for (const row of this.#theirs.all(id, seq, username ?? null)) {
      this.#drop.run(row.id);
      if (!this.#isSilent(row)) continue;
      this.#end(row);
      this.#afterwards.elseUndo(() => this.#begin(row));
    }
  }

  /** Deletes resolved escalations whose entry is gone, and removes silences that have ended at `now` from memory. */
  prune(now: number): void {
    this.#dropResolved.run();
    for (const [scope, all] of this.#silences) {
      const rest = all.filter(({ until }) => until === undefined || until > now);
      if (rest.length === 0) this.#silences.delete(scope);
      else this.#silences.set(scope, rest);
    }
  }

  #isSilent({ id, silent_in: scope }: EscalationRow): boolean {
    return this.#silences.get(scope ?? "")?.some((one) => one.id === id) === true;
  }

  #begin({ id, run, silent_in: scope, silent_until: until }: EscalationRow): void {
    if (scope === null) return;
    const silence = { id, run, ...(until !== null && { until }) };
    this.#silences.set(scope, [...(this.#silences.get(scope) ?? []), silence]);
  }

  #end({ id, silent_in: scope }: EscalationRow): void {
    if (scope === null) return;
    const rest = (this.#silences.get(scope) ?? []).filter((one) => one.id !== id);
    if (rest.length === 0) this.#silences.delete(scope);
    else this.#silences.set(scope, rest);
  }
}

const NONE: readonly Silence[] = [];
/** SQL list of the names by which a query may select an escalation's person: user id, handle, and handle with `@`. */
const PERSON =
  "(substr(e.lane, length(e.account) + 2), lower(e.username), '@' || lower(e.username))";
