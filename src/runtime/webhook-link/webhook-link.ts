import { pacedLoop, type PacedLoop } from "../loop/paced-loop.ts";
import { throttle } from "../../system/time/throttle.ts";
import { type Arrival, Arrivals } from "./arrivals.ts";
import { LinkHealth } from "./link-health.ts";
import type {
  DeliveryProof,
  WebhookLink,
  WebhookLinkChange,
  WebhookLinkNeeds,
  WebhookLinkStatus,
} from "./link.ts";
import { Reachability, type ReachabilityChange } from "./reachability.ts";
import { type LookForOthers, otherWebhooks } from "./other-webhooks.ts";
import { mendWebhook, type RegisteredWebhook } from "./register-webhook.ts";
import { Subscriptions } from "./subscriptions.ts";
import { notAnswered, troubleOf, waitAfter } from "./trouble.ts";

/** Real milliseconds between two checks while the link is up. */
const LOOK_EVERY_MS = 60_000;

/**
 * Milliseconds without a request of the platform after which the bot asks for a challenge. The platform sends a
 * challenge every hour by itself.
 */
const SILENCE_MS = 70 * 60_000;

/** Shortest interval, in real milliseconds, of checks that a sign of trouble triggers. */
const HINTS_EVERY_MS = 10_000;

/** Number of consecutive failed checks after which deliveries count as missing: one failed check proves little. */
const FAILED_LOOKS = 2;

/** Creates the webhook link. Its method `start` registers the webhook and subscribes the accounts. */
export function webhookLink(needs: WebhookLinkNeeds): WebhookLink {
  return new WatchedLink(needs);
}

class WatchedLink implements WebhookLink {
  readonly #needs: WebhookLinkNeeds;
  readonly #loop: PacedLoop;
  readonly #reachability: Reachability;
  readonly #subscriptions: Subscriptions;
  readonly #health: LinkHealth;
  readonly #lookForOthers: LookForOthers | undefined;
  readonly #arrivals = new Arrivals();
  readonly #proofListeners = new Set<(proof: DeliveryProof) => void>();
  readonly #refusedListeners = new Set<(refused: DeliveryProof) => void>();
  readonly #stopListening: readonly (() => void)[];
  readonly #followHint: (hint: string) => void;
  #webhook: RegisteredWebhook | undefined;
  /** Consecutive failed checks. */
  #failed = 0;
  /** Time of the last successful check, by the platform's clock. */
  #goodAt: number;
  /** Time of the last requested challenge, by the platform's clock. */
  #askedAt: number;
  /** Last task of the queue. Tasks run in order, so an account that is linked and then removed ends up removed. */
  #work: Promise<void> = Promise.resolve();

  constructor(needs: WebhookLinkNeeds) {
    this.#needs = needs;
    const { clock, log, accounts } = needs;
    const now = () => clock.now();
    this.#goodAt = this.#askedAt = now();
    const onListenerError = (error: unknown): void =>
      log.error({ err: error }, "an internal listener of the webhook link failed");
    this.#reachability = new Reachability({ now, onListenerError });
    this.#subscriptions = new Subscriptions({ ...needs, reachability: this.#reachability, now });
    this.#health = new LinkHealth(needs);
    const { onOtherWebhook: onOther } = needs;
    const challenges = (): number => this.#arrivals.counts().challenges;
    this.#lookForOthers = onOther && otherWebhooks({ ...needs, challenges, onOther });
    this.#loop = pacedLoop(() => this.#turn());
    this.#followHint = throttle(HINTS_EVERY_MS, () => this.#loop.wake());
    this.#stopListening = [
      accounts.subscribe((change) => void this.#inTurn(() => this.#follow(change))),
      clock.onJump(() => this.#loop.wake()),
    ];
  }

  async start(): Promise<void> {
    for (const { id } of this.#needs.accounts.list()) {
      this.#reachability.down(id, "the webhook is not set up yet");
    }
    this.#loop.wake();
    await this.#work;
  }

  status(): WebhookLinkStatus {
    const { id, valid = false } = this.#webhook ?? {};
    const { subscribed, refused } = this.#subscriptions;
    const { trouble } = this.#health;
    return {
      valid,
      subscribed,
      refused,
      arrivals: this.#arrivals.counts(),
      lastDeliveryOf: (account) => this.#arrivals.lastDeliveryOf(account),
      ...(id !== undefined && { webhookId: id }),
      ...(trouble !== undefined && { trouble: trouble.reason }),
    };
  }

  arrived(arrival: Arrival, at: number = this.#needs.clock.now()): void {
    this.#arrivals.add(arrival, at);
    if (arrival.kind !== "challenge") {
      const { account, kind } = arrival;
      const proof = account === "" ? { at } : { account, at };
      if (kind === "refused") return tell(this.#refusedListeners, proof);
      this.#reachability.proven(account, at);
      tell(this.#proofListeners, proof);
    } else if (arrival.isFromPlatform) {
      if (arrival.answered) tell(this.#proofListeners, { at });
      else this.#followHint("a challenge that could not be answered");
    }
  }

  onReachable(listener: (change: ReachabilityChange) => void): () => void {
    return this.#reachability.onReachable(listener);
  }

  onProof(listener: (proof: DeliveryProof) => void): () => void {
    this.#proofListeners.add(listener);
    return () => void this.#proofListeners.delete(listener);
  }

  onRefused(listener: (refused: DeliveryProof) => void): () => void {
    this.#refusedListeners.add(listener);
    return () => void this.#refusedListeners.delete(listener);
  }

  settled(): Promise<void> {
    return this.#work;
  }

  async stop(): Promise<void> {
    for (const stop of this.#stopListening) stop();
    await this.#loop.stop();
    await this.#work;
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work);
    return this.#work;
  }

  async #turn(): Promise<number> {
    await this.#inTurn(() => this.#look());
    const { clock, random, lookEveryMs = LOOK_EVERY_MS } = this.#needs;
    const { trouble } = this.#health;
    if (trouble === undefined) return lookEveryMs;
    return waitAfter(trouble, this.#failed, clock.now(), random());
  }

  /** Compares the platform's webhook and subscriptions with the wanted state, and repairs the differences. */
  async #look(): Promise<void> {
    const { accounts, clock } = this.#needs;
    try {
      const registered = await this.#find();
      if (registered?.valid !== true) this.#isNotValid(registered);
      const isSound = registered?.valid === true && !this.#isSilent();
      const webhook = isSound ? registered : await this.#mend(registered);
      this.#webhook = webhook;
      if (!webhook.valid) throw notAnswered();
      this.#health.registered(webhook);
      await this.#subscriptions.mend(accounts.list(), webhook.id);
      this.#failed = 0;
      this.#goodAt = clock.now();
      this.#health.stands();
    } catch (error) {
      this.#cameToTrouble(error);
    }
  }

  async #find(): Promise<RegisteredWebhook | undefined> {
    const { app, url, accounts } = this.#needs;
    const webhooks = await app.webhooks.list({ retry: false });
    const linked = accounts.list().filter(({ revoked }) => revoked === undefined);
    await this.#lookForOthers?.(
      webhooks,
      linked.map(({ id }) => id),
    );
    return webhooks.find((webhook) => webhook.url === url);
  }

  /** Marks the link as lost: the platform itself reports that it does not deliver. */
  #isNotValid(registered: RegisteredWebhook | undefined): void {
    this.#lose(
      registered === undefined
        ? "the platform no longer has the webhook"
        : "the platform marked the webhook as invalid: a challenge was not answered",
    );
    if (registered === undefined) this.#subscriptions.reset();
    this.#webhook = registered;
  }

  /** Whether the platform has been silent for so long that it may not reach this machine, despite its own report. */
  #isSilent(): boolean {
    const seenAt = Math.max(this.#askedAt, this.#arrivals.lastAt() ?? 0);
    return this.#needs.clock.now() - seenAt > SILENCE_MS;
  }

  async #mend(registered: RegisteredWebhook | undefined): Promise<RegisteredWebhook> {
    const { clock, log, url } = this.#needs;
    this.#askedAt = clock.now();
    const before = this.#arrivals.counts().challenges;
    const webhook = await mendWebhook(this.#needs, registered);
    await this.#needs.otherReports?.();
    const isHeard = this.#arrivals.counts().challenges > before;
    // The challenge counts as a proof even without a signature, because this process requested it.
    if (webhook.valid && isHeard) tell(this.#proofListeners, { at: clock.now() });
    if (registered !== undefined && webhook.valid && !isHeard) {
      log.warn(
        { url },
        "the platform's challenge was answered by another server: the webhook URL does not lead to this bot",
      );
    }
    return webhook;
  }

  #cameToTrouble(error: unknown): void {
    const trouble = troubleOf(error);
    this.#failed += 1;
    const isTelling = trouble.kind === "operator" || this.#failed >= FAILED_LOOKS;
    // A rate limit prevents the check, so it proves nothing about the link.
    if (isTelling && trouble.kind !== "limit") this.#lose(trouble.reason);
    this.#health.fails(trouble);
  }

  #lose(reason: string): void {
    const since = Math.max(this.#goodAt, this.#arrivals.lastAt() ?? 0);
    this.#health.loses(reason, since);
    this.#subscriptions.lose(reason);
  }

  async #follow({ type, account }: WebhookLinkChange): Promise<void> {
    const webhookId = this.#webhook?.id;
    try {
      if (type !== "linked") await this.#subscriptions.end(type, account, webhookId);
      else if (webhookId !== undefined) await this.#subscriptions.begin(account, webhookId);
      else this.#reachability.down(account.id, "the webhook is not set up yet");
    } catch (error) {
      const { id, username } = account;
      this.#needs.log.error(
        { err: error, account: username, id, type },
        "a change of a linked account was not applied to its subscription; retrying",
      );
      this.#loop.wake();
    }
  }
}

function tell<T>(listeners: ReadonlySet<(notice: T) => void>, notice: T): void {
  for (const listener of listeners) listener(notice);
}
