import { isSettled } from "../../../item.ts";
import { assigned, listed, only, type RowOf } from "../../../tables/columns.ts";
import { ITEMS, OPEN_ITEMS } from "../../../tables/tables.ts";
import type { StatementValues } from "../../params.ts";
import type { FoundItem } from "../found.ts";
import type { Pending, PendingItem } from "../pending.ts";

/** Writes items that were queued, changed or settled. */
export function itemWrites(pending: Pending, params: StatementValues): string[] {
  return [
    ...longRowWrites(pending, params),
    ...openRowWrites(pending, params),
    ...givenUpWrites(pending, params),
  ];
}

/** Writes rows of `items`. A row is updated when its item is settled, or leaves a settled status. */
function longRowWrites({ items, discounted }: Pending, params: StatementValues): string[] {
  const writes: string[] = [];
  const all = [...items.values()];
  const added = all.filter(({ before }) => before === undefined).map(({ item }) => itemRow(item));
  if (added.length > 0) writes.push(params.insert("items", ITEMS.postgres, added));
  const turned = all
    .filter((one) => one.before !== undefined && !(wasOpen(one) && isOpen(one)))
    .map(({ item }) => ({
      ...itemRow(item),
      counted_at: discounted.has(item.lane) ? null : item.counted_at,
    }));
  if (turned.length > 0) {
    writes.push(
      `UPDATE items AS i SET ${assigned(CHANGED, "g")} FROM ${params.rows(TURNED, turned)} WHERE i.id = g.id`,
    );
  }
  if (discounted.size > 0) {
    const settling = params.add(
      turned.map(({ id }) => id),
      "bigint[]",
    );
    writes.push(
      // A statement may write each row only once. The `UPDATE` above already resets `counted_at` of its rows.
      `UPDATE items SET counted_at = NULL WHERE counted_at IS NOT NULL AND id <> ALL (${settling})
         AND lane = ANY (${params.add([...discounted], "text[]")})`,
    );
  }
  return writes;
}

/** Updates and deletes rows of `open_items`. {@link turnWrite} adds new ones. */
function openRowWrites({ items }: Pending, params: StatementValues): string[] {
  const writes: string[] = [];
  const open = [...items.values()].filter(wasOpen);
  const moved = open.filter(isOpen).map(({ item }) => item);
  if (moved.length > 0) {
    writes.push(
      `UPDATE open_items AS o SET ${assigned(OPEN_ITEMS.changing, "g")}, ready = o.ready AND g.status = 'pending'
       FROM ${params.rows(OPEN_ITEMS, moved)} WHERE o.id = g.id`,
    );
  }
  const closed = open.filter((one) => !isOpen(one)).map(({ item }) => item.id);
  if (closed.length > 0) {
    writes.push(`DELETE FROM open_items WHERE id = ANY (${params.add(closed, "bigint[]")})`);
  }
  return writes;
}

/** Writes rows of `given_up`: items that failed or expired. */
function givenUpWrites({ items }: Pending, params: StatementValues): string[] {
  const writes: string[] = [];
  const all = [...items.values()];
  const givenUp = all.filter(({ item }) => isGivenUp(item.status)).map(({ item }) => item);
  if (givenUp.length > 0) {
    const conflict = "ON CONFLICT (id) DO UPDATE SET status = excluded.status";
    writes.push(params.insert("given_up", only(ITEMS, "id", "status"), givenUp, { conflict }));
  }
  const retried = all
    .filter(
      ({ before, item }) => before !== undefined && isGivenUp(before) && !isGivenUp(item.status),
    )
    .map(({ item }) => item.id);
  if (retried.length > 0) {
    writes.push(`DELETE FROM given_up WHERE id = ANY (${params.add(retried, "bigint[]")})`);
  }
  return writes;
}

/**
 * Returns the statement that adds newly open items, and marks in each changed lane the item that may be sent next.
 * Execute it after all other writes.
 *
 * @returns `undefined` if no item was changed.
 */
export function turnWrite({ items }: Pending, params: StatementValues): string | undefined {
  if (items.size === 0) return undefined;
  const all = [...items.values()];
  const lanes = params.add([...new Set(all.map(({ item }) => item.lane))], "text[]");
  const opened = all.filter((one) => !wasOpen(one) && isOpen(one)).map(({ item }) => item);
  const isBehindMade = (one: string): string =>
    `EXISTS (SELECT 1 FROM made AS b WHERE b.lane = ${one}.lane AND b.id < ${one}.id AND b.status IN ('pending', 'sending'))`;
  // An item that becomes `pending` or `sending` again may precede the item that is marked as next.
  const isAgain = all.some(({ before, item }) => isOnItsWay(item) && isLate(before));
  const overtaken = isAgain
    ? `,
    overtaken AS (
      UPDATE open_items AS o SET ready = false FROM first AS f
      WHERE o.lane = f.lane AND o.ready AND (o.id <> f.id OR ${isBehindMade("o")}))`
    : "";
  return `
    WITH made AS MATERIALIZED (SELECT * FROM ${params.rows(OPEN_ITEMS, opened)}),
    first AS MATERIALIZED (
      SELECT l.lane, f.id, f.status FROM unnest(${lanes}) AS l (lane) LEFT JOIN LATERAL (
        SELECT o.id, o.status FROM open_items AS o WHERE o.lane = l.lane AND o.status IN ('pending', 'sending')
        ORDER BY o.id LIMIT 1) AS f ON true),
    turned AS (
      UPDATE open_items AS o SET ready = true FROM first AS f
      WHERE o.id = f.id AND f.status = 'pending' AND NOT o.ready AND NOT ${isBehindMade("o")})${overtaken}
    INSERT INTO open_items (${listed(OPEN_ITEMS)}, ready)
    SELECT ${listed(OPEN_ITEMS, "m")},
      m.status = 'pending' AND (f.id IS NULL OR f.id > m.id) AND NOT ${isBehindMade("m")}
    FROM made AS m JOIN first AS f ON f.lane = m.lane ORDER BY m.id`;
}

function isOnItsWay({ status }: PendingItem["item"]): boolean {
  return status === "pending" || status === "sending";
}

/** Whether the item was held, unknown or settled before, so that a later item of its lane may be marked as next. */
function isLate(before: PendingItem["before"]): boolean {
  return before !== undefined && before !== "pending" && before !== "sending";
}

function wasOpen({ before }: PendingItem): boolean {
  return before !== undefined && !isSettled(before);
}

function isOpen({ item }: PendingItem): boolean {
  return !isSettled(item.status);
}

const CHANGED = only(ITEMS.postgres, "counted_at", ...ITEMS.changing.names);
const TURNED = only(ITEMS.postgres, "id", ...CHANGED.names);

/** Returns the row of an item in the table `items`. Its `status` is null while the item is open. */
function itemRow(item: FoundItem): RowOf<typeof ITEMS.postgres> {
  return { ...item, status: isSettled(item.status) ? item.status : null };
}

function isGivenUp(status: FoundItem["status"]): boolean {
  return status === "failed" || status === "expired";
}
