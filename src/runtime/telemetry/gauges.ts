import type { Gauge } from "prom-client";
import type { MeasuredState } from "./measured-state.ts";
import type { MetricName } from "./metric-table.ts";

/** Sets every gauge from `state`, and removes time series whose labels `state` no longer has. */
export function setGauges(gauge: (name: MetricName) => Gauge, state: MeasuredState): void {
  const { now, store, work, webhook, catchup } = state;
  gauge("ready").set(flag(state.notReady.length === 0));
  series(
    gauge("missing"),
    [...state.notReady, ...state.stalled].map((part) => [{ part }, 1]),
  );
  gauge("shedding").set(flag(webhook.shedding));
  series(gauge("linkValid"), state.source === "polling" ? [] : [[{}, flag(webhook.valid)]]);
  gauge("lag").set(secondsSince(store.oldestArrivedAt, now));
  gauge("inbox").set(store.inbox);
  gauge("journal").set(store.journal);
  series(gauge("items"), byStatus(store.items));
  series(gauge("runs"), byStatus(store.runs));
  series(
    gauge("escalations"),
    Object.entries(store.escalations).map(([queue, count]) => [{ queue }, count]),
  );
  series(gauge("inHand"), [
    [{ what: "inputs" }, work.inputs],
    [{ what: "effects" }, work.effects],
    [{ what: "requests" }, work.sending],
  ]);
  gauge("partitions").set(work.partitions);
  series(
    gauge("partitionLag"),
    state.oldestOf.map(([partition, at]) => [
      { partition: String(partition) },
      secondsSince(at, now),
    ]),
  );
  const { self } = state;
  series(
    gauge("process"),
    self === undefined ? [] : [[{ process: self.name, role: self.role }, 1]],
  );
  gauge("leads").set(flag(self?.leads === true));
  gauge("clockAhead").set((self?.clockAheadMs ?? 0) / 1_000);
  series(
    gauge("subscribed"),
    state.accounts.map(({ username, subscribed }) => [{ account: username }, flag(subscribed)]),
  );
  series(gauge("coverage"), coverageOf(state));
  gauge("gaps").set(catchup.gaps);
  gauge("oldestGap").set(secondsSince(catchup.since && Date.parse(catchup.since), now));
  gauge("botFaults").set(state.botFaults);
  series(gauge("postsUsed"), state.posts === undefined ? [] : [[{}, state.posts.used]]);
  series(gauge("postsCap"), state.posts === undefined ? [] : [[{}, state.posts.cap]]);
  setLimits(gauge, state);
}

type Value = readonly [labels: Readonly<Record<string, string>>, value: number];

function series(gauge: Gauge, values: readonly Value[]): void {
  gauge.reset();
  // The reset sets a gauge without labels to 0, but a value that is not known is not 0.
  gauge.remove({});
  for (const [labels, value] of values) gauge.set(labels, value);
}

function byStatus(counts: Readonly<Record<string, number>>): readonly Value[] {
  return Object.entries(counts).map(([status, count]) => [{ status }, count]);
}

function coverageOf({ coverage }: MeasuredState): readonly Value[] {
  return coverage.flatMap(({ username: account, spans }) => {
    const seconds = new Map<string, number>();
    for (const { from, to, state } of spans) {
      seconds.set(state, (seconds.get(state) ?? 0) + (to - from) / 1_000);
    }
    return [...seconds].map(([state, total]): Value => [{ account, state }, total]);
  });
}

function setLimits(gauge: (name: MetricName) => Gauge, { limits }: MeasuredState): void {
  const places = limits.budgets.map(({ endpoint, account = "", windowMs, ...budget }) => {
    return { labels: { endpoint, account, window: windowName(windowMs) }, ...budget };
  });
  series(
    gauge("budgetRemaining"),
    places.map(({ labels, remaining }) => [labels, remaining]),
  );
  series(
    gauge("budgetLimit"),
    places.map(({ labels, limit }) => [labels, limit]),
  );
  series(
    gauge("circuits"),
    limits.circuits.map(({ endpoint, account = "", isOpen }) => [
      { endpoint, account },
      flag(isOpen),
    ]),
  );
}

/** Formats a window's length: `15m`, `24h`. */
function windowName(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

function flag(is: boolean): number {
  return is ? 1 : 0;
}

function secondsSince(at: number | "" | undefined, now: number): number {
  return at === undefined || at === "" ? 0 : Math.max(0, now - at) / 1_000;
}
