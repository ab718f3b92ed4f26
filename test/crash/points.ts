/**
 * Points at which a runtime is killed: before and after each write, and around every message that leaves or arrives.
 *
 * If you add a write to the store or a request to the platform, add its points here, and pass them in
 * `watched-store.ts` or `watched-wire.ts`. A point that is never reached fails the run.
 */
export const POINTS = {
  "meta:before": "a named value is about to be kept: the world that the store belongs to",
  "meta:after": "it is kept",
  "lease:before": "leases are about to be taken or renewed",
  "lease:after": "they are",
  "prune:before": "what is old is about to be dropped",
  "prune:after": "it is",
  listening: "the webhook listens, the platform was not asked yet",
  ready: "the platform delivers",

  "cover:before": "what is known of a stretch of time is about to be kept",
  "cover:after": "it is kept",

  "delivery:arrived": "the head of a delivery is there, nothing of it is kept",
  "append:before": "a delivery is about to be kept",
  "append:after": "it is on disk, and not acknowledged",
  "acknowledged:after": "the 200 is out",

  "fetch:after": "inputs are in hand, nothing of them is decided",
  "decide:before": "what follows from an event is about to be kept",
  "decide:after": "it is kept",
  "effect:ready": "a run is kept whose handler was not called yet",
  "effect:under-way": "the handler of a bot is at work",
  "effect-settled:before": "the handler's answers are about to be kept",
  "effect-settled:after": "they are",
  "item-settled:before": "a run that waited for its item is about to go on",
  "item-settled:after": "it went on",
  "timer-due:before": "a run that waited for a time is about to go on",
  "timer-due:after": "it went on",

  "due-items:after": "items to send are in hand",
  "sending:before": "an item is about to be marked as under way",
  "sending:after": "it is marked, nothing has left",
  "write:before": "the request is about to be written to the socket",
  "write:after": "it is written, the answer is not there",
  "answer:head": "the head of the answer is there",
  "answer:after": "the answer is there, whole, and not written down",
  "sent:before": "the item is about to be marked as sent",
  "sent:after": "it is marked",
  "put-off:before": "an item that surely was not sent is about to wait",
  "put-off:after": "it waits",
  "unknown:before": "an item of unknown outcome is about to be marked so",
  "unknown:after": "it is marked",

  "left-ready:after": "runs that an earlier process left were read, none is taken up",
  "left-sending:after": "items that an earlier process left under way were read, none is changed",
  "recovered:before": "such an item is about to be changed",
  "recovered:after": "it is changed",
  "left-unknown:after":
    "items of unknown outcome were read, none is looked up: between recovery and reconciliation",
  "read-back:before": "the platform is about to be asked what became of one",
  "read-back:after": "it has answered",
  "found:before": "an item that was found is about to be marked as sent",
  "found:after": "it is marked",
  "absent:before": "an item that is surely absent is about to be sent again",
  "absent:after": "it waits to be sent",
} as const satisfies Readonly<Record<string, string>>;

/** Name of a point at which a runtime is killed. */
export type PointName = keyof typeof POINTS;

/** Points that a start passes only after an earlier kill at another point, which leaves work behind. */
export const LEFT_BEHIND_AT: Readonly<Partial<Record<PointName, PointName>>> = {
  "left-ready:after": "effect:under-way",
  "left-sending:after": "write:after",
  "recovered:before": "write:after",
  "recovered:after": "write:before",
  "left-unknown:after": "unknown:after",
};

/** Whether a text is the name of a point. */
export function isPoint(name: string): name is PointName {
  return Object.hasOwn(POINTS, name);
}
