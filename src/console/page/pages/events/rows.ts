import type { RuntimeEvent } from "../../../../runtime/vocabulary.ts";

/** An attempt of a delivery or challenge, as the sandbox reports it. */
export interface DeliveryAttempt {
  readonly seq: number;
  readonly at: string;
  readonly event: string;
  readonly for_user_id: string | null;
  readonly attempt: number;
  readonly status: number;
  readonly ms: number;
  readonly outcome: string;
  readonly replayed: boolean;
  readonly activity_id: string | null;
  readonly exchange: number;
}

/** A delivery with all its attempts. */
export interface DeliveryRow {
  readonly kind: "delivery";
  readonly id: string;
  readonly at: number;
  readonly name: string;
  readonly attempts: readonly DeliveryAttempt[];
}

/** A row of the feed: a delivery, or an event of the runtime. */
export type FeedRow =
  | DeliveryRow
  | {
      readonly kind: "runtime";
      readonly id: string;
      readonly at: number;
      readonly name: string;
      readonly event: RuntimeEvent;
    };

/** Maximum number of rows in the feed. */
export const MAX_ROWS = 500;

/**
 * Returns the id of the row to which an attempt belongs. For each event and account, deliveries and replays have
 * separate rows.
 */
export function deliveryId({
  activity_id: activity,
  for_user_id: user,
  seq,
  event,
  replayed,
}: DeliveryAttempt): string {
  return activity === null ? `delivery ${seq}` : `${event} ${activity} ${user ?? ""} ${replayed}`;
}

/**
 * Adds attempts to the rows of their deliveries. The newest row is first. Rows without new attempts stay the same
 * objects.
 */
export function withAttempts(
  rows: readonly FeedRow[],
  attempts: readonly DeliveryAttempt[],
): readonly FeedRow[] {
  if (attempts.length === 0) return rows;
  const came = new Map<string, FeedRow>();
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  for (const one of attempts) {
    const id = deliveryId(one);
    const before = came.get(id) ?? rowsById.get(id);
    const earlier = before?.kind === "delivery" ? before.attempts : [];
    if (earlier.some(({ seq }) => seq === one.seq)) continue;
    came.set(id, {
      kind: "delivery",
      id,
      at: Math.min(before?.at ?? Infinity, Date.parse(one.at)),
      name: one.event,
      attempts: [...earlier, one].sort((a, b) => a.seq - b.seq),
    });
  }
  if (came.size === 0) return rows;
  const fresh = [...came.values()].filter(({ id }) => !rowsById.has(id)).toReversed();
  return newest([...fresh, ...rows.map((row) => came.get(row.id) ?? row)]);
}

/** Returns the attempts that are neither in `rows` (already shown) nor in `undrawn` (shown soon). */
export function unshown(
  attempts: readonly DeliveryAttempt[],
  rows: readonly FeedRow[],
  undrawn: readonly DeliveryAttempt[],
): readonly DeliveryAttempt[] {
  const shown = rows.flatMap((row) => (row.kind === "delivery" ? row.attempts : []));
  const seqs = new Set([...shown, ...undrawn].map(({ seq }) => seq));
  return attempts.filter(({ seq }) => !seqs.has(seq));
}

function newest(rows: readonly FeedRow[]): readonly FeedRow[] {
  return rows.toSorted((one, other) => other.at - one.at).slice(0, MAX_ROWS);
}

export function withRuntimeEvents(
  rows: readonly FeedRow[],
  events: readonly RuntimeEvent[],
): readonly FeedRow[] {
  if (events.length === 0) return rows;
  const fresh = events.map((event): FeedRow => ({
    kind: "runtime",
    id: `runtime ${event.at} ${event.seq}`,
    at: Date.parse(event.at),
    name: event.type,
    event,
  }));
  return newest([...fresh.toReversed(), ...rows]);
}

/** Picks the attempts (deliveries and challenges) from a batch of the sandbox's events. */
export function attemptsIn(
  items: readonly { readonly type: string; readonly data: unknown }[],
): readonly DeliveryAttempt[] {
  return items.flatMap(({ type, data }) =>
    type === "delivery" || type === "challenge" ? [data as DeliveryAttempt] : [],
  );
}

export interface FeedFilter {
  readonly name: string | undefined;
  readonly text: string;
  /** Whether to show only deliveries with a failed attempt, and runtime events about a loss, failure or refusal. */
  readonly onlyTrouble: boolean;
  /** Numbers of the HTTP exchanges whose body has the requested value; undefined without a filter for bodies. */
  readonly exchanges: ReadonlySet<number> | undefined;
}

export function fits(row: FeedRow, { name, text, onlyTrouble, exchanges }: FeedFilter): boolean {
  if (name !== undefined && row.name !== name) return false;
  if (onlyTrouble && !hasTrouble(row)) return false;
  if (
    exchanges !== undefined &&
    !(row.kind === "delivery" && row.attempts.some(({ exchange }) => exchanges.has(exchange)))
  ) {
    return false;
  }
  return text === "" || JSON.stringify(row).toLowerCase().includes(text.toLowerCase());
}

const TROUBLE = /lost|failed|refused|unsubscribed|revoked|stalled|held|gap-found/;

function hasTrouble(row: FeedRow): boolean {
  if (row.kind === "runtime") return TROUBLE.test(row.name);
  return row.attempts.some((one) => !isTaken(one));
}

/** Returns whether a row is the delivery of an event. Such a delivery can be repeated, unlike a challenge. */
export function isEvent(row: FeedRow): row is DeliveryRow {
  return row.kind === "delivery" && row.attempts.some(({ activity_id: id }) => id !== null);
}

export function isTaken({ status, outcome }: DeliveryAttempt): boolean {
  return outcome === "delivered" || outcome === "passed" || status === 200;
}
