import type { ExchangeHead } from "../../sandbox/control/objects.ts";
import type { Trace, TraceItem } from "../../insight/traces/trace.ts";
import type { TraceExchanges } from "./trace-exchanges.ts";

/** Tolerance in milliseconds: a request may be recorded slightly before its item starts, or after it is settled. */
const NEAR_MS = 50;

/**
 * Returns the HTTP requests of each outbox item, oldest first, by item id. The request of a sent item is found by the
 * id that the platform assigned. Failed attempts are found by time and order. Each request belongs to only one item.
 */
export function requestsOf(
  { items }: Pick<Trace, "items">,
  { written, requests }: TraceExchanges,
): ReadonlyMap<number, readonly ExchangeHead[]> {
  const assignedSeqs = new Set<number>();
  const requestsByItem = new Map<number, readonly ExchangeHead[]>();
  const tried = items.filter(({ attempts }) => attempts > 0);
  const last = new Map<number, ExchangeHead>();
  const take = (item: TraceItem, request: ExchangeHead | undefined): void => {
    if (request === undefined) return;
    assignedSeqs.add(request.seq);
    last.set(item.id, request);
  };
  for (const item of tried) take(item, writing(written.get(item.platformId ?? "") ?? []));
  for (const item of tried) {
    if (last.has(item.id)) continue;
    take(
      item,
      requests.find(({ seq, at }) => !assignedSeqs.has(seq) && isWithin(Date.parse(at), item)),
    );
  }
  for (const item of tried) {
    const end = last.get(item.id);
    if (end === undefined) continue;
    const before = requests.filter(
      ({ seq, method, url, status }) =>
        seq < end.seq &&
        !assignedSeqs.has(seq) &&
        method === end.method &&
        url === end.url &&
        !isDone(status),
    );
    const earlier = item.attempts > 1 ? before.slice(1 - item.attempts) : [];
    for (const { seq } of earlier) assignedSeqs.add(seq);
    requestsByItem.set(item.id, [...earlier, end]);
  }
  return requestsByItem;
}

/**
 * Returns the first write request among exchanges with a post's or message's id. This request created the post or
 * message; later ones may like or delete it.
 */
function writing(exchanges: readonly ExchangeHead[]): ExchangeHead | undefined {
  return exchanges.find(({ direction, method }) => direction === "request" && method !== "GET");
}

function isWithin(at: number, { startedAt = Infinity, settledAt = Infinity }: TraceItem): boolean {
  return at >= startedAt - NEAR_MS && at <= settledAt + NEAR_MS;
}

function isDone(status: number): boolean {
  return status >= 200 && status < 300;
}
