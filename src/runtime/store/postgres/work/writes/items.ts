import { isSettled } from "../../../item.ts";
import type { StatementValues } from "../../params.ts";
import type { FoundItem } from "../found.ts";
import type { Pending, PendingItem } from "../pending.ts";
import { ms } from "./milliseconds.ts";

/** Items that were queued, moved or settled. */
export function itemWrites({ items, discounted }: Pending, params: StatementValues): string[] {
  const writes: string[] = [];
  const all = [...items.values()];
  const made = all.filter(({ before }) => before === undefined).map(({ item }) => kept(item));
  if (made.length > 0) {
    const types = { ...IDENTITY_TYPES, ...STATE_TYPES } as const;
    const names = Object.keys(types).join(", ");
    writes.push(
      `INSERT INTO items (${names}) SELECT ${names} FROM ${params.table("g", types, made)} ORDER BY ord`,
    );
  }
  // What is open is told by open_items alone: the long row is written again when it is settled.
  const turned = all
    .filter((one) => one.before !== undefined && !(wasOpen(one) && isOpen(one)))
    .map(({ item }) => ({
      ...kept(item),
      counted_at: discounted.has(item.lane) ? null : item.counted_at,
    }));
  if (turned.length > 0) {
    const changing = { ...STATE_TYPES, counted_at: "bigint" } as const;
    const types = { id: "bigint", ...changing } as const;
    const sets = Object.keys(changing).map((name) => `${name} = g.${name}`);
    writes.push(
      `UPDATE items AS i SET ${sets.join(", ")} FROM ${params.table("g", types, turned)} WHERE i.id = g.id`,
    );
  }
  const moved = all.filter((one) => wasOpen(one) && isOpen(one)).map(({ item }) => open(item));
  if (moved.length > 0) {
    const sets = CHANGING.map((name) => `${name} = g.${name}`);
    writes.push(
      `UPDATE open_items AS o SET ${sets.join(", ")}, ready = o.ready AND g.status = 'pending' FROM ${params.table("g", OPEN_TYPES, moved)} WHERE o.id = g.id`,
    );
  }
  const closed = all.filter((one) => wasOpen(one) && !isOpen(one)).map(({ item }) => item.id);
  if (closed.length > 0) {
    writes.push(`DELETE FROM open_items WHERE id = ANY (${params.add(closed, "bigint[]")})`);
  }
  const givenUp = all.filter(({ item }) => isGivenUp(item.status)).map(({ item }) => item);
  if (givenUp.length > 0) {
    const given = params.table("g", { id: "bigint", status: "text" }, givenUp);
    writes.push(
      `INSERT INTO given_up (id, status) SELECT id, status FROM ${given}
       ON CONFLICT (id) DO UPDATE SET status = excluded.status`,
    );
  }
  const retried = all
    .filter(
      ({ before, item }) => before !== undefined && isGivenUp(before) && !isGivenUp(item.status),
    )
    .map(({ item }) => item.id);
  if (retried.length > 0) {
    writes.push(`DELETE FROM given_up WHERE id = ANY (${params.add(retried, "bigint[]")})`);
  }
  if (discounted.size > 0) {
    const settling = params.add(
      turned.map(({ id }) => id),
      "bigint[]",
    );
    writes.push(
      // Those that are written above have their counts taken there: a statement writes each row once.
      `UPDATE items SET counted_at = NULL WHERE counted_at IS NOT NULL AND id <> ALL (${settling})
         AND lane = ANY (${params.add([...discounted], "text[]")})`,
    );
  }
  return writes;
}

/**
 * Items that become open, and which of each lane that was touched is the one that may go next. To be written when
 * all else is.
 *
 * @returns `undefined` where no item was touched.
 */
export function turnWrite({ items }: Pending, params: StatementValues): string | undefined {
  if (items.size === 0) return undefined;
  const all = [...items.values()];
  const lanes = params.add([...new Set(all.map(({ item }) => item.lane))], "text[]");
  const opened = all.filter((one) => !wasOpen(one) && isOpen(one)).map(({ item }) => open(item));
  const names = Object.keys(OPEN_TYPES);
  const isBehindMade = (one: string): string =>
    `EXISTS (SELECT 1 FROM made AS b WHERE b.lane = ${one}.lane AND b.id < ${one}.id AND b.status IN ('pending', 'sending'))`;
  // One that is to go again, or goes, may stand before the one whose turn it was.
  const isAgain = all.some(({ before, item }) => isOnItsWay(item) && isLate(before));
  const overtaken = isAgain
    ? `,
    overtaken AS (
      UPDATE open_items AS o SET ready = false FROM first AS f
      WHERE o.lane = f.lane AND o.ready AND (o.id <> f.id OR ${isBehindMade("o")}))`
    : "";
  return `
    WITH made AS MATERIALIZED (SELECT * FROM ${params.table("g", OPEN_TYPES, opened)}),
    first AS MATERIALIZED (
      SELECT l.lane, f.id, f.status FROM unnest(${lanes}) AS l (lane) LEFT JOIN LATERAL (
        SELECT o.id, o.status FROM open_items AS o WHERE o.lane = l.lane AND o.status IN ('pending', 'sending')
        ORDER BY o.id LIMIT 1) AS f ON true),
    turned AS (
      UPDATE open_items AS o SET ready = true FROM first AS f
      WHERE o.id = f.id AND f.status = 'pending' AND NOT o.ready AND NOT ${isBehindMade("o")})${overtaken}
    INSERT INTO open_items (${names.join(", ")}, ready)
    SELECT ${names.map((name) => `m.${name}`).join(", ")},
      m.status = 'pending' AND (f.id IS NULL OR f.id > m.id) AND NOT ${isBehindMade("m")}
    FROM made AS m JOIN first AS f ON f.lane = m.lane ORDER BY m.id`;
}

function isOnItsWay({ status }: PendingItem["item"]): boolean {
  return status === "pending" || status === "sending";
}

/** It had no turn before, though others behind it may have had theirs. */
function isLate(before: PendingItem["before"]): boolean {
  return before !== undefined && before !== "pending" && before !== "sending";
}

function wasOpen({ before }: PendingItem): boolean {
  return before !== undefined && !isSettled(before);
}

function isOpen({ item }: PendingItem): boolean {
  return !isSettled(item.status);
}

/** A row of items: what is open has its state in open_items. */
function kept(item: FoundItem) {
  const isOpen = !isSettled(item.status);
  return {
    ...item,
    status: isOpen ? null : item.status,
    not_before: ms(item.not_before),
    expires_at: item.expires_at === null ? null : ms(item.expires_at),
    settled_at: item.settled_at === null ? null : ms(item.settled_at),
    started_at: item.started_at === null ? null : ms(item.started_at),
  };
}

function open(item: FoundItem) {
  return { ...kept(item), status: item.status };
}

function isGivenUp(status: FoundItem["status"]): boolean {
  return status === "failed" || status === "expired";
}

const IDENTITY_TYPES = {
  id: "bigint",
  key: "text",
  run: "text",
  seq: "bigint",
  account: "text",
  lane: "text",
  partition: "int",
  action: "text",
  priority: "int",
  counted_at: "bigint",
  heard: "text",
} as const;

const STATE_TYPES = {
  status: "text",
  attempts: "int",
  not_before: "bigint",
  expires_at: "bigint",
  started_at: "bigint",
  settled_at: "bigint",
  platform_id: "text",
  reason: "text",
} as const;

const OPEN_TYPES = {
  id: "bigint",
  partition: "int",
  lane: "text",
  status: "text",
  priority: "int",
  attempts: "int",
  not_before: "bigint",
  expires_at: "bigint",
  started_at: "bigint",
  platform_id: "text",
  reason: "text",
} as const;

/** What of an open item changes. */
const CHANGING = [
  "status",
  "attempts",
  "not_before",
  "expires_at",
  "started_at",
  "platform_id",
  "reason",
] as const;
