import type { ItemRow } from "../../../../../src/runtime/store/tables/rows.ts";
import type { StoredRun } from "../../../../../src/runtime/store/run.ts";
import type { Transition } from "../../../../../src/runtime/store/transition.ts";
import { run } from "../../builders.ts";
import { MapPort } from "./map-port.ts";

/** Current time, by the platform's clock. */
export const AT = 5_000;
/** Lane (conversation) of the rows that this module creates, unless a test passes another lane. */
export const LANE = "100:200";
/** Id of the inbox entry that {@link transition} processes. */
export const INPUT = 7;

/** Creates a transition of an event without effects. Pass only the fields that the test is about. */
export function transition(over: Partial<Transition> = {}): Transition {
  return {
    input: { kind: "inbox", id: INPUT },
    lane: LANE,
    partition: 0,
    epoch: 1,
    at: AT,
    outcome: "done",
    runs: [],
    timers: [],
    sources: [],
    state: [],
    items: [],
    ...over,
  };
}

/** Creates storage with the inbox entry {@link INPUT} and these rows. */
export function portWith({
  attempts = 0,
  runs = [],
  items = [],
}: {
  readonly attempts?: number;
  readonly runs?: readonly StoredRun[];
  readonly items?: readonly ItemRow[];
} = {}): MapPort {
  const port = new MapPort();
  port.inbox.set(INPUT, attempts);
  for (const one of runs) port.runs.set(one.id, one);
  for (const one of items) port.items.set(one.key, one);
  return port;
}

/** Creates a waiting run in its first version. */
export function storedRun(seq: number, over: Partial<StoredRun> = {}): StoredRun {
  return { ...run(seq, { status: "waiting" }), version: 1, partition: 0, ...over };
}

/** Creates a pending outbox item of the run `1/rule:faq`. */
export function itemRow(over: Partial<ItemRow> = {}): ItemRow {
  return {
    id: 1,
    key: "k",
    run: "1/rule:faq",
    seq: 1,
    account: "100",
    lane: LANE,
    action: '{"type":"reply_dm","to":"200","text":"hi"}',
    status: "pending",
    attempts: 0,
    not_before: 100,
    expires_at: null,
    started_at: null,
    settled_at: null,
    platform_id: null,
    reason: null,
    result: null,
    priority: 0,
    ...over,
  };
}
