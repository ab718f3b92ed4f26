import type { BotParts } from "../parts.ts";
import { startSource, type WayParts } from "../receive.ts";
import { startOwnEvents } from "./own-events.ts";
import type { Term } from "./leaders-seat.ts";
import { startCatchup } from "../../runtime/catchup/catchup.ts";
import type { ReadBackNeeds } from "../../runtime/catchup/read-back.ts";
import type { DeliveryWatch } from "../../runtime/catchup/delivery-watch.ts";
import { linkOf, type LinkNeeds } from "./event-link.ts";
import { startRetention } from "../../runtime/journal/retention.ts";
import { cleanupStack } from "../../runtime/loop/cleanup-stack.ts";
import { settlesWithin } from "../../runtime/loop/settles-within.ts";
import type { WorldConfirmation } from "../../runtime/platform/confirm-world.ts";
import { provenDeliveries } from "./proven-deliveries.ts";
import { subscriptionAges } from "../../runtime/webhook-link/subscription-ages.ts";
import type { LeaderStore } from "./leases-fence.ts";
import type { Colleagues } from "./presence.ts";
import { followReceivers } from "./receivers.ts";

/** Parts of a bot that a term of the leader is made of. */
export interface TermNeeds
  extends
    Omit<LinkNeeds, "store" | "heard" | "onStanding">,
    Pick<WayParts, "keepAs" | "telemetry" | "onArrived">,
    Pick<BotParts, "rules"> {
  readonly world: WorldConfirmation;
  /** Whether this process leads at this moment. */
  readonly leads: () => boolean;
  readonly store: LeaderStore;
  /** Whether other processes may take deliveries in. */
  readonly isShared: boolean;
  readonly colleagues: Colleagues;
  /** Called with the events of a gap before the first of them is appended. */
  readonly onFound: ReadBackNeeds["onFound"];
  /** Called once what was missed until the start has been read, or is not to be waited for. */
  readonly onMissedRead: () => void;
}

/** Real milliseconds for which a start waits for the platform. It goes on without it. */
const FIRST_LOOK_MS = 10_000;

/** Opens what the leader does; nothing of it is begun. */
export function openTerm(needs: TermNeeds): Term {
  const { settings, store, clock, log, events, world, colleagues, isShared, keepAs, rules } = needs;
  const cleanup = cleanupStack(log);
  const ages = subscriptionAges({ store, log: log.child({ stage: "link" }) });
  cleanup.add("the ages of subscriptions", () => ages.stop());
  const { link, watch, reader } = linkOf({
    ...needs,
    onStanding: (subscription) => ages.stands(subscription),
    heard: isShared ? () => colleagues.heard() : undefined,
  });
  const proven = provenDeliveries({ ...needs, link, log: log.child({ stage: "catchup" }) });
  cleanup.add("the doubts about deliveries", () => proven.stop());
  const catchup = startCatchup({
    ...needs,
    doubts: proven,
    monotonic: () => performance.now(),
    log: log.child({ stage: "catchup" }),
    publish: events.publish,
    app: needs.clients.app,
    clientOf: needs.clients.of,
    webhookId: () => link.status().webhookId,
    subscribedSince: (account) => ages.since(account),
    append: (delivery, raw) => keepAs("backfill")(delivery, raw),
    onFound: needs.onFound,
    announced: isShared ? () => colleagues.heard() : undefined,
    noReplay: settings.source === "activity" ? "the activity interface has no replay" : undefined,
  });
  cleanup.add("the catch-up", () =>
    catchup.stop().catch((error: unknown) => {
      // Its last note is refused, where another leads by now.
      if (needs.leads()) throw error;
    }),
  );
  cleanup.add("the webhook link", () => link.stop());
  const retention = startRetention({ store, clock, log });
  cleanup.add("the retention", () => retention.stop());

  let isOver = false;
  let isPrepared = false;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const readMissed = async (): Promise<void> => {
    // Polling goes on from its own cursor.
    if (settings.source !== "polling") {
      await Promise.all([proven.load(), ages.load()]);
      await Promise.race([catchup.readMissed(), ended]);
    }
    needs.onMissedRead();
  };
  const deliveries = (): DeliveryWatch => {
    if (!isShared || settings.source === "polling") return proven;
    const receivers = followReceivers({
      onSeen: (listener) => colleagues.onSeen(listener),
      self: colleagues.name,
      clock,
      monotonic: () => performance.now(),
      log,
      onArrived: (arrival, at) => link.arrived(arrival, at),
      onReplayed: (fresh, known) => catchup.replayedElsewhere(fresh, known),
    });
    cleanup.add("the watch over the receivers", () => receivers.stop());
    return receivers.watch(proven);
  };
  const establish = async (): Promise<void> => {
    if (isOver) return;
    const watched = deliveries();
    await Promise.race([settlesWithin(FIRST_LOOK_MS, link.start()), ended]);
    if (!isOver) catchup.follow(watched);
  };
  return {
    link,
    catchup,
    async prepare() {
      if (rules.together !== undefined) {
        const { together } = rules;
        cleanup.add("the lead over the rules", () => together.lead(false));
        await together.lead(true);
      }
      if (!world.isConfirmed()) return;
      await readMissed();
      isPrepared = true;
    },
    async begin() {
      if (isOver) return;
      const taking = { ...needs, gate: catchup.gate, cleanup };
      if (reader !== undefined) await startSource(reader, taking);
      startOwnEvents({ ...needs, watch, cleanup });
      if (isPrepared) return establish();
      world.onConfirmed(() => {
        if (isOver) return;
        readMissed()
          .then(establish)
          .catch((error: unknown) => log.error({ err: error }, "the link was not made"));
      });
    },
    async stop() {
      isOver = true;
      end();
      needs.onMissedRead();
      await cleanup.close();
    },
  };
}
