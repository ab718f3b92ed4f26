import { UsageError } from "../errors.ts";
import { activityDeliveries } from "../events/read/activity-delivery.ts";
import { deliveryAccounts } from "../events/read/delivery-accounts.ts";
import { type Journal, openJournal } from "../runtime/journal/journal.ts";
import type { WorldConfirmation } from "../runtime/platform/confirm-world.ts";
import type { Missing } from "../runtime/readiness.ts";
import { type Append, ComeAgain, type Source } from "../runtime/source.ts";
import type { Arrival } from "../runtime/webhook-link/arrivals.ts";
import {
  healthSource,
  webhookSource,
  type WebhookSourceNeeds,
  type WebhookSourceStatus,
} from "../runtime/webhook/webhook-source.ts";
import type { Answering } from "./answer.ts";
import type { Liveness } from "./health/liveness.ts";
import type { HostedBot, BotParts } from "./parts.ts";
import type { Leading } from "./roles/leading.ts";

/** Parts of a bot that the pipeline of a delivery needs. */
export interface WayParts extends Pick<BotParts, "cleanup"> {
  readonly accounts: Pick<BotParts["accounts"], "find">;
  readonly telemetry: Pick<BotParts["telemetry"], "takingIn">;
  readonly world: Pick<WorldConfirmation, "isConfirmed">;
  readonly gate: Leading["catchup"]["gate"];
  /** Returns the last function of a source's pipeline, which appends deliveries to the journal. */
  readonly keepAs: KeepAs;
  /** Called with the account of each delivery that is stored; "" if the delivery names no account. */
  readonly onArrived: (account: string) => void;
}

/** Returns the function that appends the deliveries of one source to the journal. All sources share the journal. */
export type KeepAs = (source: Source["name"]) => Append;

/** Step of the pipeline: wraps the next step. It passes a delivery on, or refuses the delivery by rejecting. */
type Step = (next: Append, source: Source["name"], parts: WayParts) => Append;

/**
 * Steps of the pipeline of a delivery, in order, between its source and the journal.
 *
 * Before these steps, `webhook/receive.ts` **verifies** the signature of a webhook's delivery over the raw bytes. The
 * last step is to **append** the delivery ({@link appending}). Only then the request is answered with 200.
 */
const WAY: readonly Step[] = [translate, trace, confirm, gate, report];

/**
 * Converts a delivery of the activity interface to deliveries as account activity sends them. So an event that arrives
 * by both interfaces has the same key in both.
 */
function translate(next: Append, source: Source["name"], { accounts }: WayParts): Append {
  if (source !== "webhook") return next;
  const usernameOf = (id: string): string | undefined => accounts.find(id)?.username;
  return async (delivery, raw) => {
    const translated = activityDeliveries(delivery, { usernameOf });
    if (translated === undefined) return next(delivery, raw);
    let fresh = 0;
    for (const one of translated) {
      fresh += await next(one, one === delivery ? raw : JSON.stringify(one));
    }
    return fresh;
  };
}

/** Creates a tracing span for the following steps of the pipeline. */
function trace(next: Append, source: Source["name"], { telemetry }: WayParts): Append {
  return telemetry.takingIn(source, next);
}

/** Refuses all deliveries until it is certain that the store belongs to this platform. */
function confirm(next: Append, _source: Source["name"], { world }: WayParts): Append {
  return async (delivery, raw) => {
    if (!world.isConfirmed()) throw new UsageError("it is not known yet whose events these are");
    return next(delivery, raw);
  };
}

/**
 * Holds a delivery back while older, missed messages of its account are read. After too long a wait, a delivery of the
 * webhook is refused, so that the platform repeats it; a delivery of another source waits on.
 */
function gate(next: Append, source: Source["name"], parts: WayParts): Append {
  return async (delivery, raw) => {
    for (let isHeld = true; isHeld;) {
      try {
        await parts.gate.pass(delivery);
        isHeld = false;
      } catch (error) {
        if (source === "webhook" || !(error instanceof ComeAgain)) throw error;
      }
    }
    return next(delivery, raw);
  };
}

/** Calls `onArrived` with the delivery's account once the delivery is stored. */
function report(next: Append, _source: Source["name"], { onArrived }: WayParts): Append {
  return async (delivery, raw) => {
    const fresh = await next(delivery, raw);
    // After the translation, a delivery is for one account at most.
    const [account = ""] = deliveryAccounts(delivery);
    onArrived(account);
    return fresh;
  };
}

/** Starts a source with the pipeline for its deliveries. */
export async function startSource(source: Source, parts: WayParts): Promise<void> {
  const { name } = source;
  parts.cleanup.add(`the source ${name}`, () => source.stop());
  const append = parts.keepAs(name);
  await source.start(WAY.reduceRight((next, step) => step(next, name, parts), append));
}

/** Parts of the journal, and listeners for new entries. */
export interface JournalParts extends Pick<HostedBot, "store" | "clock"> {
  readonly events: Pick<HostedBot["events"], "publish">;
  readonly registry: Pick<HostedBot["registry"], "find" | "revoke">;
  readonly telemetry: Pick<HostedBot["telemetry"], "appending">;
  readonly health: Pick<HostedBot["health"], "succeeded" | "failed">;
  readonly answering: Pick<Answering, "arrived">;
  readonly catchup: Pick<Leading["catchup"], "sourceOf" | "onAppended" | "onKnown">;
}

/** Opens the journal, the end of every pipeline. Each write reports to `health` whether the store works. */
export function appending(parts: JournalParts): KeepAs {
  const { health } = parts;
  const journal = journalOf(parts);
  return (source) => async (delivery, raw) => {
    try {
      const fresh = await journal.append(delivery, raw, source);
      health.succeeded();
      return fresh;
    } catch (error) {
      // The store works: only an earlier event has to be decided first.
      if (!(error instanceof ComeAgain)) health.failed(error);
      throw error;
    }
  };
}

function journalOf({ registry, catchup, answering, events, ...parts }: JournalParts): Journal {
  return openJournal({
    store: parts.store,
    clock: parts.clock,
    usernameOf: (id) => registry.find(id)?.username,
    sourceOf: (source, at) => catchup.sourceOf(source, at),
    appending: parts.telemetry.appending,
    onAppended: (entries, fresh, results) => {
      answering.arrived(fresh, entries, results);
      catchup.onAppended(entries);
      for (const { key, account, lane, kind, source } of entries) {
        events.publish({ type: "event-received", data: { key, account, lane, kind, source } });
      }
    },
    onKnown: (entries) => catchup.onKnown(entries),
    onRevoked: (account, at) =>
      registry.revoke(account, { at, reason: "its owner took the app's authorization away" }),
  });
}

/** Parts of a bot that its HTTP server needs. */
export interface ServerNeeds
  extends
    Pick<HostedBot, "settings" | "platform" | "log" | "telemetry" | "role">,
    Pick<WebhookSourceNeeds, "router" | "isServedElsewhere"> {
  readonly missing: () => Promise<readonly Missing[]>;
  readonly alive: Liveness;
  /** Returns the number of undecided events in the store. */
  readonly undecided: () => number;
  /** Called with each challenge, and with each delivery that is refused with 503. */
  readonly arrived: (arrival: Arrival) => void;
}

/** Returns the source that serves `/healthz`, `/readyz` and, if this process receives deliveries, the webhook. */
export function serverOf(needs: ServerNeeds): Source<WebhookSourceStatus> {
  const { settings, platform, missing, alive, arrived, role, router, isServedElsewhere } = needs;
  const { listen } = settings.webhook;
  if (!role.takesIn || settings.source === "polling") {
    return healthSource({ listen, isServedElsewhere, missing, alive, log: needs.log });
  }
  return webhookSource({
    listen,
    router,
    isServedElsewhere,
    url: platform.webhookUrl,
    consumerSecret: platform.consumerSecret,
    previousConsumerSecret: platform.previousConsumerSecret,
    missing,
    alive,
    undecided: needs.undecided,
    log: needs.log.child({ stage: "webhook" }),
    onChallenge: (answered, isFromPlatform) =>
      arrived({ kind: "challenge", answered, isFromPlatform }),
    onRefused: (account) => arrived({ kind: "refused", account }),
    onAnswered: needs.telemetry.onAnswered,
  });
}
