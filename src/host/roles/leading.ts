import { type CatchupStatus, catchupStatus } from "../../runtime/catchup/catchup-status.ts";
import { sourceDuring, type Catchup } from "../../runtime/catchup/catchup.ts";
import { readCoverage } from "../../runtime/catchup/coverage-view.ts";
import { ledgerOf } from "../../runtime/catchup/ledger.ts";
import type { WebhookLink, WebhookLinkStatus } from "../../runtime/webhook-link/link.ts";
import { Arrivals } from "../../runtime/webhook-link/arrivals.ts";
import type { SearchStatus } from "../../runtime/search/search-source.ts";
import type { MonthOfPosts } from "../../runtime/usage/post-cap.ts";
import type { LeadingNote } from "./colleague.ts";
import type { BotParts } from "../parts.ts";
import type { LeadersSeat } from "./leaders-seat.ts";
import type { Colleagues } from "./presence.ts";
import type { Reception } from "./reception.ts";

export interface LeadingNeeds extends Pick<BotParts, "store" | "accounts" | "clock"> {
  readonly seat: Pick<LeadersSeat, "term">;
  readonly colleagues: Pick<Colleagues, "leader">;
  readonly reception: Reception;
}

/** Functions of the leader's work that any process may call. In other processes they use the leader's last report. */
export interface Leading {
  readonly link: Pick<WebhookLink, "status" | "arrived" | "settled">;
  readonly catchup: Pick<
    Catchup,
    "sourceOf" | "onAppended" | "onKnown" | "coverage" | "replay" | "replays" | "status"
  > & { readonly gate: Pick<Catchup["gate"], "pass"> };
  /** Returns the state of the queries that rules search with; undefined while this process does not lead. */
  readonly searches: () => SearchStatus | undefined;
  /** Returns the app's number of received posts this month, and its cap; undefined if unknown or not the leader. */
  readonly posts: () => MonthOfPosts | undefined;
  /** Returns this process's report as leader; undefined while it does not lead. */
  note(): LeadingNote | undefined;
}

/** Returns the leader's functions. They use this process's own term while it leads, else the leader's last report. */
export function leadingOf(needs: LeadingNeeds): Leading {
  const { reception, store, accounts, clock } = needs;
  const arrivals = new Arrivals();
  const term = () => needs.seat.term;
  const leader = () => needs.colleagues.leader();
  const elsewhere = (): LeadingNote | undefined => leader()?.leading;
  const ledger = ledgerOf(store);
  return {
    link: {
      status: () => term()?.link.status() ?? notedStatus(elsewhere(), arrivals),
      arrived(arrival) {
        arrivals.add(arrival, clock.now());
        reception.arrived(arrival);
        term()?.link.arrived(arrival);
      },
      settled: async () => term()?.link.settled(),
    },
    catchup: {
      gate: { pass: (delivery) => term()?.catchup.gate.pass(delivery) },
      sourceOf: (source, at) =>
        term()?.catchup.sourceOf(source, at) ?? sourceDuring(elsewhere()?.replay, source, at),
      onAppended(entries) {
        reception.appended(entries);
        term()?.catchup.onAppended(entries);
      },
      onKnown(entries) {
        reception.replayed(entries);
        term()?.catchup.onKnown(entries);
      },
      coverage: (query) =>
        term()?.catchup.coverage(query) ??
        readCoverage(query, {
          store,
          ledger,
          accounts,
          clock,
          reachable: elsewhere()?.reachable ?? [],
        }),
      replay(window) {
        const own = term()?.catchup;
        if (own !== undefined) return own.replay(window);
        const name = leader()?.name;
        return {
          accepted: false,
          problem: `${name ?? "another process"} leads, and asks for the replays of all`,
          hint: "run the command on the leader's machine; answerback status shows which process is the leader",
        };
      },
      replays: () => term()?.catchup.replays() ?? [],
      status: () => term()?.catchup.status() ?? notedCatchup(elsewhere()),
    },
    searches: () => term()?.searches(),
    posts: () => term()?.posts(),
    note() {
      const own = term();
      return own === undefined ? undefined : noteOf(own);
    },
  };
}

function noteOf({
  link,
  catchup,
}: {
  readonly link: Pick<WebhookLink, "status">;
  readonly catchup: Pick<Catchup, "status" | "reachable" | "replaying">;
}): LeadingNote {
  const { webhookId, valid, trouble, subscribed, refused } = link.status();
  const { gaps, since, noReplay } = catchup.status();
  const replay = catchup.replaying();
  return {
    webhook: {
      valid,
      ...(webhookId !== undefined && { id: webhookId }),
      ...(trouble !== undefined && { trouble }),
    },
    subscribed: [...subscribed],
    refused: Object.fromEntries(refused),
    reachable: [...catchup.reachable()],
    ...(replay !== undefined && { replay: { from: replay.from, to: replay.to } }),
    gaps,
    ...(since !== undefined && { gapsSince: since }),
    ...(noReplay !== undefined && { noReplay }),
  };
}

function notedStatus(note: LeadingNote | undefined, arrivals: Arrivals): WebhookLinkStatus {
  const { id, trouble, valid = false } = note?.webhook ?? {};
  return {
    valid,
    subscribed: new Set(note?.subscribed),
    refused: new Map(Object.entries(note?.refused ?? {})),
    arrivals: arrivals.counts(),
    lastDeliveryOf: (account) => arrivals.lastDeliveryOf(account),
    ...(id !== undefined && { webhookId: id }),
    ...(trouble !== undefined && { trouble }),
  };
}

function notedCatchup(note: LeadingNote | undefined): CatchupStatus {
  const { gaps = 0, gapsSince, noReplay } = note ?? {};
  const { replay } = note ?? {};
  const job = replay && { ...replay, by: "gap" as const, askedAt: 0, attempts: 0 };
  const shown = catchupStatus({ gaps: [], job, noReplay });
  return { ...shown, gaps, ...(gapsSince !== undefined && { since: gapsSince }) };
}
