import type { FaultSpec } from "../../../../sandbox/control/objects.ts";

/** Something that goes wrong on live platforms, as the faults that make it happen. */
export interface Preset {
  readonly name: string;
  /** What then happens, in a sentence. */
  readonly says: string;
  /** @param now The sandbox's time, milliseconds since the epoch. @param account User id of the bot. */
  readonly faults: (now: number, account: string | undefined) => readonly FaultSpec[];
}

const OUTAGE_MS = 2 * 3_600_000;
const deliveries = { direction: "delivery" } as const;
const challenges = { direction: "challenge" } as const;
const always = { always: true } as const;

const calls = (account: string | undefined) =>
  account === undefined
    ? ({ direction: "request", path: "/2/*" } as const)
    : ({ direction: "request", path: "/2/*", account } as const);

/** The presets, in the order in which they are shown. */
export const PRESETS: readonly Preset[] = [
  {
    name: "2-hour outage",
    says: "For two hours of the sandbox's clock neither deliveries nor challenges reach the bot.",
    faults: (now) => {
      const when = { until: new Date(now + OUTAGE_MS).toISOString() };
      return [deliveries, challenges].map((match) => ({ match, fault: { type: "cut" }, when }));
    },
  },
  {
    name: "Flaky network",
    says: "Three of ten deliveries get no answer, so the platform tries them again.",
    faults: () => [
      { match: deliveries, fault: { type: "cut" }, when: { probability: 0.3, seed: "flaky" } },
    ],
  },
  {
    name: "Duplicate storm",
    says: "Each delivery comes three times; the bot should answer once.",
    faults: () => [{ match: deliveries, fault: { type: "duplicate", n: 3 }, when: always }],
  },
  {
    name: "Out of order",
    says: "Every second delivery is overtaken by the next two.",
    faults: () => [{ match: deliveries, fault: { type: "reorder", n: 2 }, when: { every: 2 } }],
  },
  {
    name: "Slow bot",
    says: "Each delivery is on its way for two seconds.",
    faults: () => [{ match: deliveries, fault: { type: "delay", ms: 2_000 }, when: always }],
  },
  {
    name: "Challenge expired",
    says: "The next challenge gets no answer in time, and the webhook is no longer valid.",
    faults: () => [{ match: challenges, fault: { type: "timeout" }, when: { next: 1 } }],
  },
  {
    name: "Challenge failing",
    says: "Each challenge is answered with 500 until the fault is removed.",
    faults: () => [{ match: challenges, fault: { type: "status", status: 500 }, when: always }],
  },
  {
    name: "5xx burst",
    says: "The platform answers the bot's next five calls with 503.",
    faults: (_, account) => [
      { match: calls(account), fault: { type: "status", status: 503 }, when: { next: 5 } },
    ],
  },
  {
    name: "Too many requests (429)",
    says: "The bot's next call has used up its rate limit.",
    faults: (_, account) => [
      { match: calls(account), fault: { type: "limit" }, when: { next: 1 } },
    ],
  },
  {
    name: "Token revoked",
    says: "The platform answers each of the bot's calls with 401, as for a token that was revoked.",
    faults: (_, account) => [
      { match: calls(account), fault: { type: "status", status: 401 }, when: always },
    ],
  },
  {
    name: "Cap reached",
    says: "Whatever the bot writes is refused with 403, as when the plan's cap is used up.",
    faults: (_, account) => [
      {
        match: { ...calls(account), method: "POST" },
        fault: { type: "status", status: 403 },
        when: always,
      },
    ],
  },
  {
    name: "Clock skew",
    says: "The next three calls are refused because their timestamp is out of bounds.",
    faults: (_, account) => [{ match: calls(account), fault: { type: "skew" }, when: { next: 3 } }],
  },
];
