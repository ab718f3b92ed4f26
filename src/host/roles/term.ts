import type { BotParts } from "../parts.ts";
import { startSource, type WayParts } from "../receive.ts";
import { startOwnEvents } from "./own-events.ts";
import type { Term } from "./leaders-seat.ts";
import { Catchup } from "../../runtime/catchup/catchup.ts";
import type { ReadBackNeeds } from "../../runtime/catchup/read-back.ts";
import type { DeliveryWatch } from "../../runtime/catchup/delivery-watch.ts";
import { type LinkNeeds, linkOf, type LinkParts } from "./event-link.ts";
import { startRetention } from "../../runtime/journal/retention.ts";
import { type CleanupStack, cleanupStack } from "../../runtime/loop/cleanup-stack.ts";
import { repeatedWhileStoreFails } from "../../runtime/loop/while-store-fails.ts";
import { settlesWithin } from "../../system/time/settles-within.ts";
import type { Searches, SearchStatus } from "../../runtime/search/search-source.ts";
import type { MonthOfPosts } from "../../runtime/usage/post-cap.ts";
import { startUsageWatch, type UsageWatch } from "../../runtime/usage/usage-watch.ts";
import type { WorldConfirmation } from "../../runtime/platform/confirm-world.ts";
import { ProvenDeliveries } from "./proven-deliveries.ts";
import {
  type SubscriptionAges,
  subscriptionAges,
} from "../../runtime/webhook-link/subscription-ages.ts";
import type { WebhookLink } from "../../runtime/webhook-link/link.ts";
import { type LeaderStore, unlessFenced } from "./leases-fence.ts";
import type { Colleagues } from "./presence.ts";
import { followReceivers } from "./receivers.ts";

/** Parts that the leader's work needs in a term, the period in which a process leads. */
export interface TermNeeds
  extends
    Omit<LinkNeeds, "store" | "otherReports" | "onStanding">,
    Pick<WayParts, "keepAs" | "telemetry" | "onArrived">,
    Pick<BotParts, "rules"> {
  readonly world: WorldConfirmation;
  readonly store: LeaderStore;
  /** Whether other processes may accept deliveries. */
  readonly isShared: boolean;
  readonly colleagues: Colleagues;
  /** Called with the events of a gap before the first of them is appended. */
  readonly onFound: ReadBackNeeds["onFound"];
  /** Called once the events missed before the start have been read, or need not be waited for. */
  readonly onMissedRead: () => void;
}

/**
 * Longest real milliseconds that a start waits for the webhook link. Then the start goes on, and the link is set up
 * later.
 */
const FIRST_LOOK_MS = 10_000;

/** Opens the parts of the leader's work without starting them. */
export function openTerm(needs: TermNeeds): Term {
  return new LeadersTerm(needs);
}

class LeadersTerm implements Term {
  readonly link: WebhookLink;
  readonly catchup: Catchup;
  readonly #needs: TermNeeds;
  readonly #cleanup: CleanupStack;
  readonly #ages: SubscriptionAges;
  readonly #proven: ProvenDeliveries;
  readonly #parts: LinkParts;
  /** Aborted at the end of the term, to cancel the term's current work. */
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  #isPrepared = false;
  #searches: Searches | undefined;
  #usage: UsageWatch | undefined;

  constructor(needs: TermNeeds) {
    const { settings, store, clock, events, colleagues, isShared, keepAs } = needs;
    this.#needs = needs;
    this.#cleanup = cleanupStack(needs.log);
    this.#ended = new Promise((resolve) => {
      this.#ending.signal.addEventListener("abort", () => resolve());
    });
    const log = needs.log.child({ stage: "catchup" });
    const otherReports = isShared ? () => colleagues.otherReports() : undefined;
    const ages = subscriptionAges({ store, log: needs.log.child({ stage: "link" }) });
    this.#ages = ages;
    this.#cleanup.add("the ages of subscriptions", () => ages.stop());
    const onStanding: LinkNeeds["onStanding"] = (subscription) => ages.stands(subscription);
    this.#parts = linkOf({ ...needs, onStanding, otherReports });
    const { link } = this.#parts;
    this.link = link;
    const proven = new ProvenDeliveries({ ...needs, link, log });
    this.#proven = proven;
    this.#cleanup.add("the watch over missed deliveries", () => proven.stop());
    const catchup = new Catchup({
      ...needs,
      doubts: proven,
      monotonic: () => performance.now(),
      log,
      publish: events.publish,
      app: needs.clients.app,
      clientOf: needs.clients.of,
      webhookId: () => link.status().webhookId,
      subscribedSince: (account) => ages.since(account),
      append: (delivery, raw) => keepAs("backfill")(delivery, raw),
      announced: otherReports,
      noReplay: settings.source === "activity" ? "the activity interface has no replay" : undefined,
    });
    this.catchup = catchup;
    this.#cleanup.add("the catch-up", () => unlessFenced(catchup.stop()));
    this.#cleanup.add("the webhook link", () => link.stop());
    const retention = startRetention({ store, clock, log: needs.log });
    this.#cleanup.add("the retention", () => retention.stop());
  }

  async prepare(): Promise<void> {
    const { together } = this.#needs.rules;
    if (together !== undefined) {
      this.#cleanup.add("the leadership over the rules", () => together.lead(false));
      await together.lead(true);
    }
    if (!this.#needs.world.isConfirmed()) return;
    await this.#readMissed();
    this.#isPrepared = true;
  }

  async begin(): Promise<void> {
    if (this.#isOver) return;
    const { world, log } = this.#needs;
    const { reader, watch } = this.#parts;
    const common = { ...this.#needs, cleanup: this.#cleanup };
    if (reader !== undefined) await startSource(reader, { ...common, gate: this.catchup.gate });
    startOwnEvents({ ...common, watch, onSearching: (searches) => (this.#searches = searches) });
    world.onConfirmed(() => this.#watchUsage());
    if (this.#isPrepared) return this.#establish();
    world.onConfirmed(() => {
      if (this.#isOver) return;
      repeatedWhileStoreFails(() => this.#readMissed(), this.#ending.signal)
        .then(() => this.#establish())
        .catch((error: unknown) => {
          if (!this.#isOver) log.error({ err: error }, "the webhook could not be set up");
        });
    });
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#needs.onMissedRead();
    await this.#cleanup.close();
  }

  searches(): SearchStatus | undefined {
    return this.#searches?.status();
  }

  posts(): MonthOfPosts | undefined {
    return this.#usage?.month();
  }

  #watchUsage(): void {
    if (this.#isOver) return;
    const { clients, store: memory, clock, log } = this.#needs;
    const usage = startUsageWatch({ app: clients.app, memory, clock, log });
    this.#usage = usage;
    this.#cleanup.add("the watch over the post cap", () => usage.stop());
  }

  get #isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  async #readMissed(): Promise<void> {
    // The polling source stores its own position, so it reads missed events without this step.
    if (this.#needs.settings.source !== "polling") {
      await Promise.all([this.#proven.load(), this.#ages.load()]);
      await Promise.race([this.catchup.readMissed(), this.#ended]);
    }
    this.#needs.onMissedRead();
  }

  async #establish(): Promise<void> {
    if (this.#isOver) return;
    const watched = this.#deliveries();
    await Promise.race([settlesWithin(FIRST_LOOK_MS, this.link.start()), this.#ended]);
    if (!this.#isOver) this.catchup.follow(watched);
  }

  /** Returns the watch that combines reports about deliveries to this and, with a shared store, to all processes. */
  #deliveries(): DeliveryWatch {
    const { settings, isShared, colleagues, clock, log } = this.#needs;
    if (!isShared || settings.source === "polling") return this.#proven;
    const receivers = followReceivers({
      onSeen: (listener) => colleagues.onSeen(listener),
      self: colleagues.name,
      clock,
      monotonic: () => performance.now(),
      log,
      onArrived: (arrival, at) => this.link.arrived(arrival, at),
      onReplayed: (fresh, knownCount) => this.catchup.replayedElsewhere(fresh, knownCount),
    });
    this.#cleanup.add("the watch over the receivers", () => receivers.stop());
    return receivers.watch(this.#proven);
  }
}
