import type { LinkLostEvent, LinkOutage, LinkRestoredEvent } from "../event.ts";
import { count, part, text, time } from "../fields.ts";
import { laneOf } from "../lane.ts";
import { dateAt, numberAt, textAt, type Wire } from "../wire.ts";
import type { Delivery, EventKind } from "./event-kind.ts";

const OUTAGE = {
  since: time((outage: LinkOutage) => outage.since),
  reason: text((outage: LinkOutage) => outage.reason),
};

export const linkLost: EventKind<LinkLostEvent> = {
  wire: { keys: ["answerback_link_lost"], read: readLost },
  fields: part("link", OUTAGE, (event: LinkLostEvent) => event.link),
  counterpart: () => undefined,
};

export const linkRestored: EventKind<LinkRestoredEvent> = {
  wire: { keys: ["answerback_link_restored"], read: readRestored },
  fields: {
    ...part("link", OUTAGE, (event: LinkRestoredEvent) => event.link),
    "link.lasted_seconds": count(({ at, link }: LinkRestoredEvent) =>
      Math.max(0, Math.round((at - link.since) / 1_000)),
    ),
  },
  counterpart: () => undefined,
};

/** Outage that is to be stored in the journal. */
export interface NewOutage extends LinkOutage {
  /** Number of the outage among the account's outages; a repeated report has the same number. */
  readonly number: number;
  /** Time at which the loss or its end was detected, in milliseconds since the epoch. */
  readonly at: number;
}

/** Returns the journal body for the beginning or end of an account's outage; `translate` reads this body. */
export function outageBody(
  account: string,
  { number, at, since, reason }: NewOutage,
  what: "lost" | "restored",
): object {
  const outage = {
    number,
    at: new Date(at).toISOString(),
    since: new Date(since).toISOString(),
    reason,
  };
  return { for_user_id: account, [`answerback_link_${what}`]: [outage] };
}

function readLost(element: Wire, delivery: Delivery): LinkLostEvent | undefined {
  const outage = readOutage(element, delivery);
  return (
    outage && {
      ...outage.occurred,
      kind: "link_lost",
      key: `link-lost:${outage.number}`,
      triggers: ["link.lost"],
      link: outage.link,
    }
  );
}

function readRestored(element: Wire, delivery: Delivery): LinkRestoredEvent | undefined {
  const outage = readOutage(element, delivery);
  return (
    outage && {
      ...outage.occurred,
      kind: "link_restored",
      key: `link-restored:${outage.number}`,
      triggers: ["link.restored"],
      link: outage.link,
    }
  );
}

function readOutage(element: Wire, { accountId }: Delivery) {
  const number = numberAt(element, "number");
  const [at, since] = [dateAt(element, "at"), dateAt(element, "since")];
  if (number === undefined || at === undefined || since === undefined) return undefined;
  const link: LinkOutage = { since, reason: textAt(element, "reason") ?? "" };
  const lane = laneOf(accountId, accountId);
  return { number, link, occurred: { accountId, at, direction: "inbound", lane } as const };
}
