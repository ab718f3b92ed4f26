import type {
  Decided,
  Entry,
  Item,
  Lease,
  Mark,
  NewEntry,
  NewItem,
} from "../../../src/runtime/store/store.ts";

/** An entry as the webhook would append it. Name what the test is about. */
export function entry(over: Partial<NewEntry> = {}): NewEntry {
  return {
    key: "dm:1",
    account: "100",
    lane: "100:200",
    kind: "message.received",
    at: 1_000,
    arrivedAt: 1_000,
    source: "webhook",
    body: '{"text":"hello"}',
    ...over,
  };
}

/** `count` entries of one lane, keys `<lane>/1` and on. */
export function entries(lane: string, count: number, over: Partial<NewEntry> = {}): NewEntry[] {
  return Array.from({ length: count }, (_, n) => entry({ key: `${lane}/${n + 1}`, lane, ...over }));
}

/** An entry decided with no effect, under the lease that covers it. */
export function decided(
  leases: readonly Lease[],
  { seq, partition, lane }: Entry,
  over: Partial<Decided> = {},
): Decided {
  return {
    seq,
    partition,
    epoch: epochOf(leases, partition),
    lane,
    outcome: "done",
    decidedAt: 2_000,
    decision: '{"verdicts":[]}',
    runs: [],
    state: [],
    items: [],
    ...over,
  };
}

export function item(over: Partial<NewItem> = {}): NewItem {
  return {
    key: "dm:1/rule/1",
    account: "100",
    lane: "100:200",
    action: { type: "reply_dm", to: "200", text: "hi" },
    notBefore: 0,
    ...over,
  };
}

/** A change of `of` from the state that it was read in. */
export function marked(
  leases: readonly Lease[],
  { id, partition, status }: Item,
  to: Mark["to"],
  over: Partial<Mark> = {},
): Mark {
  return {
    id,
    partition,
    from: status,
    to,
    at: 3_000,
    epoch: epochOf(leases, partition),
    ...over,
  };
}

function epochOf(leases: readonly Lease[], partition: number): number {
  return leases.find((lease) => lease.partition === partition)?.epoch ?? -1;
}
