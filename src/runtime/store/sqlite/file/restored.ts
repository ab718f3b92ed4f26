import type { Afterwards } from "../../in-memory/afterwards.ts";
import {
  ANSWERED_ELSEWHERE,
  type AnsweredElsewhere,
  answeredElsewhere,
  DOUBT,
  doubtAbout,
  RESTORED_FROM,
  withAnswered,
} from "../../restored.ts";
import type { NewItem } from "../../item.ts";
import type { Doubt } from "../../machine/port.ts";
import type { ItemRow } from "../../tables/rows.ts";
import type { Database } from "../binding.ts";
import type { Operations } from "../calls.ts";
import type { Counters } from "../counters.ts";
import type { State } from "../state.ts";
import type { OpenItems } from "../waiting/open-items.ts";

/** Dependencies of {@link Restored}. */
interface RestoredParts {
  readonly counters: Counters;
  readonly state: State;
  readonly open: OpenItems;
  readonly afterwards: Afterwards;
}

type OpenRow = Pick<ItemRow, "id" | "lane" | "started_at" | "expires_at" | "priority"> & {
  readonly status: "pending" | "sending";
  readonly at: number | null;
};

/**
 * Starts a restored store. Such a store lacks the record of what the replaced store sent after the backup. Items that
 * may have been sent become `unknown`, so that the runtime asks the platform before it sends them again.
 */
export class Restored {
  readonly #parts: RestoredParts;
  readonly #unsent;
  readonly #doubtItem;
  readonly #arrival;
  readonly #forget;
  #answered: readonly AnsweredElsewhere[];

  constructor(db: Database, parts: RestoredParts) {
    this.#parts = parts;
    this.#unsent = db.prepare<OpenRow>(
      `SELECT i.id, i.lane, i.status, i.started_at, i.expires_at, i.priority, j.at
       FROM work AS w CROSS JOIN items AS i ON i.id = w.id LEFT JOIN journal AS j ON j.seq = i.seq
       WHERE w.kind = 'item' AND i.status IN ('pending', 'sending') AND coalesce(?, i.account) = i.account`,
    );
    this.#doubtItem = db.prepare(
      "UPDATE items SET status = 'unknown', started_at = ?, not_before = ?, reason = ? WHERE id = ?",
    );
    this.#arrival = db.prepare<{ at: number }>("SELECT at FROM journal WHERE seq = ?");
    this.#forget = db.prepare("DELETE FROM meta WHERE name = ?");
    this.#answered = this.#readAnswered();
  }

  readonly startRestored: Operations["startRestored"] = (now, holdMs, elsewhere) => {
    const { state, counters, open, afterwards } = this.#parts;
    const from = elsewhere?.from ?? state.getMeta(RESTORED_FROM);
    if (from === undefined) return 0;
    const account = elsewhere?.account;
    const rows = this.#unsent.all(account ?? null);
    const notBefore = now + holdMs;
    for (const { id, lane, status, at, expires_at: expiresAt, priority, ...row } of rows) {
      const startedAt = row.started_at ?? at ?? Number(from);
      this.#doubtItem.run(startedAt, notBefore, DOUBT, id);
      counters.add(`item.${status}`, -1);
      counters.add("item.unknown", 1);
      const doubted = { id, lane, notBefore, expiresAt, priority, status: "unknown" } as const;
      afterwards.add(() => open.set(doubted));
    }
    const added = { ...(account !== undefined && { account }), until: now, holdMs };
    const answered = withAnswered(this.#answered, added);
    state.setMeta(ANSWERED_ELSEWHERE, JSON.stringify(answered));
    if (account === undefined) this.#forget.run(RESTORED_FROM);
    // Changed at once, because a decision may follow in the same transaction.
    this.#answered = answered;
    afterwards.elseUndo(() => (this.#answered = this.#readAnswered()));
    return rows.length;
  };

  #readAnswered(): readonly AnsweredElsewhere[] {
    return answeredElsewhere(this.#parts.state.getMeta(ANSWERED_ELSEWHERE));
  }

  /** Implements `ItemPort.doubt`. */
  doubt({ seq, account }: Pick<NewItem, "seq" | "account">): Doubt | undefined {
    if (this.#answered.length === 0) return undefined;
    return doubtAbout(this.#answered, account, this.#arrival.get(seq)?.at);
  }
}
