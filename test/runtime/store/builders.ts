import type { Entry, NewEntry } from "../../../src/runtime/store/entry.ts";
import type { Item, ItemTransition, NewItem } from "../../../src/runtime/store/item.ts";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import type { RunWrite } from "../../../src/runtime/store/run.ts";
import type { InputRef, LaneInput, Transition } from "../../../src/runtime/store/transition.ts";

/** Creates a journal entry as the webhook would append it. Pass only the fields that the test is about. */
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

/** Creates `count` entries of one lane (conversation), with the keys `<lane>/1`, `<lane>/2` and so on. */
export function entries(lane: string, count: number, over: Partial<NewEntry> = {}): NewEntry[] {
  return Array.from({ length: count }, (_, n) => entry({ key: `${lane}/${n + 1}`, lane, ...over }));
}

/** Returns the journal entries among inputs that a worker has fetched. */
export function entriesOf(inputs: readonly LaneInput[]): Entry[] {
  return inputs.flatMap((input) => (input.kind === "event" ? [input.entry] : []));
}

/** Creates a transition that processes `input`, under the lease of its partition. Without `over` it has no effects. */
export function takenIn(
  leases: readonly Lease[],
  input: LaneInput,
  over: Partial<Transition> = {},
): Transition {
  const { lane, partition } = input;
  const decision =
    input.kind === "event" ? { decision: { seq: input.entry.seq, text: '{"verdicts":[]}' } } : {};
  return { ...nothing(leases, lane, partition), input: refOf(input), ...decision, ...over };
}

/** Creates the transition for the outcome of an effect that `run` has performed. */
export function effectDone(
  leases: readonly Lease[],
  run: RunWrite & { readonly partition: number },
  over: Partial<Transition> = {},
): Transition {
  const input = { kind: "effect", run: run.id, version: run.version } as const;
  return { ...nothing(leases, run.lane, run.partition), input, ...over };
}

function refOf(input: LaneInput): InputRef {
  if (input.kind === "timer-due") return { kind: "timer", id: input.timer.id };
  return { kind: "inbox", id: Number(input.input.replace("inbox/", "")) };
}

function nothing(leases: readonly Lease[], lane: string, partition: number) {
  return {
    lane,
    partition,
    epoch: epochOf(leases, partition),
    at: 2_000,
    outcome: "done",
    runs: [],
    timers: [],
    sources: [],
    state: [],
    items: [],
  } as const;
}

/** Creates a run of a rule named `faq`, started by the journal entry with the number `seq`. */
export function run(seq: number, over: Partial<RunWrite> = {}): RunWrite {
  return {
    id: `${seq}/rule:faq`,
    seq,
    owner: "rule:faq",
    account: "100",
    lane: "100:200",
    revision: "r1",
    status: "done",
    body: "{}",
    version: 0,
    ...over,
  };
}

export function item(over: Partial<NewItem> = {}): NewItem {
  return {
    key: "1/rule:faq/actions[0]#1",
    run: "1/rule:faq",
    seq: 1,
    account: "100",
    lane: "100:200",
    action: { type: "reply_dm", to: "200", text: "hi" },
    notBefore: 0,
    ...over,
  };
}

/** Creates the change of an outbox item from the status with which it was read to the status `to`. */
export function moved(
  leases: readonly Lease[],
  { id, partition, status }: Item,
  to: ItemTransition["to"],
  over: Partial<ItemTransition> = {},
): ItemTransition {
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

/** Returns the epoch (fencing token) of the lease of a partition; -1 without a lease. */
export function epochOf(leases: readonly Lease[], partition: number): number {
  return leases.find((lease) => lease.partition === partition)?.epoch ?? -1;
}
