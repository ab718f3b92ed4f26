import { PlatformError } from "../../client/errors.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Log } from "../log.ts";
import type { NewRuntimeEvent } from "../runtime-events.ts";
import type { Reachability } from "./reachability.ts";
import type { StandingSubscription } from "./subscription-ages.ts";
import { lostPermission, TokenCheck } from "./token-check.ts";
import { troubleOf, waitAfter } from "./trouble.ts";
import type { SubscribingClient, SubscriptionWay } from "./ways.ts";

/** Bot account, with the fields that the link needs. */
export interface WebhookLinkAccount {
  readonly id: string;
  readonly username: string;
  /** Reason why the account's tokens no longer work; absent while they work. */
  readonly revoked?: string;
}

export interface SubscriptionNeeds {
  readonly way: SubscriptionWay;
  readonly clientOf: (account: string) => SubscribingClient | undefined;
  readonly reachability: Reachability;
  /** Called with each subscription that exists or was created. */
  readonly onStanding?: ((subscription: StandingSubscription) => void) | undefined;
  readonly publish: (event: NewRuntimeEvent) => void;
  readonly log: Log;
  /** Returns a random number, evenly distributed in [0, 1). */
  readonly random: () => number;
  /** Returns the current time in milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
}

/** Milliseconds after which events of a new subscription surely arrive, by the platform's "Delivery rules". */
const BEGINS_WITHIN_MS = 10_000;

/**
 * Keeps the webhook's subscriptions in step with the linked accounts, and restores subscriptions that the platform
 * lost.
 */
export class Subscriptions {
  readonly #needs: SubscriptionNeeds;
  readonly #subscribed = new Set<string>();
  readonly #refused = new Map<string, string>();
  /** Consecutive failures of refused accounts, and the monotonic time of the next try. */
  readonly #tries = new Map<string, { readonly failed: number; readonly nextAt: number }>();
  /** Removed accounts whose subscription could not be ended yet. */
  readonly #toEnd = new Map<string, WebhookLinkAccount>();

  readonly #tokens: TokenCheck;

  constructor(needs: SubscriptionNeeds) {
    this.#needs = needs;
    this.#tokens = new TokenCheck(needs);
  }

  get subscribed(): ReadonlySet<string> {
    return this.#subscribed;
  }

  get refused(): ReadonlyMap<string, string> {
    return this.#refused;
  }

  /**
   * Compares the platform's subscriptions with the accounts, and repairs the differences.
   *
   * @throws {UnreachableError} or another error of the client, if the platform does not answer.
   */
  async mend(accounts: readonly WebhookLinkAccount[], webhookId: string): Promise<void> {
    const wanted = accounts.filter(({ revoked }) => revoked === undefined);
    if (wanted.length === 0 && this.#toEnd.size === 0) return;
    const ids = wanted.map(({ id }) => id);
    const listed = await this.#needs.way.subscribers(webhookId, ids);
    this.#tokens.begin();
    for (const account of wanted) {
      if (listed.has(account.id)) await this.#standsIfItWorks(account, webhookId);
      else await this.#mendOne(account, webhookId);
    }
    for (const account of this.#toEnd.values()) await this.end("removed", account, webhookId);
    await this.#fill(wanted, webhookId);
  }

  async #standsIfItWorks(account: WebhookLinkAccount, webhookId: string): Promise<void> {
    const client = this.#needs.clientOf(account.id);
    const onLost = (error: PlatformError): void => this.#refuse(account, error);
    const works = await this.#tokens.works(account.id, webhookId, client, onLost);
    if (works) this.#stands(account, webhookId);
  }

  async #fill(accounts: readonly WebhookLinkAccount[], webhookId: string): Promise<void> {
    const { way, clientOf } = this.#needs;
    const standing = accounts.flatMap(({ id }) => {
      const client = this.#subscribed.has(id) ? clientOf(id) : undefined;
      return client === undefined ? [] : [[id, client] as const];
    });
    await way.fill?.(new Map(standing), webhookId);
  }

  /** Subscribes an account. A refusal by the platform is recorded for that account; any other error is thrown. */
  async begin(account: WebhookLinkAccount, webhookId: string): Promise<void> {
    const { id } = account;
    this.#toEnd.delete(id);
    this.#tokens.forget(id);
    const client = this.#needs.clientOf(id);
    if (client === undefined) return;
    try {
      await this.#needs.way.subscribe(client, { userId: id, webhookId });
    } catch (error) {
      this.#refuse(account, error);
      if (!(error instanceof PlatformError)) throw error;
      return;
    }
    this.#stands(account, webhookId, BEGINS_WITHIN_MS);
  }

  /** Ends an account's subscription, unless the account is revoked and the platform ends it by itself. */
  async end(
    type: "revoked" | "removed",
    account: WebhookLinkAccount,
    webhookId: string | undefined,
  ): Promise<void> {
    const { id, username } = account;
    const { way, log, publish, reachability } = this.#needs;
    reachability.forget(id, type === "revoked" ? (account.revoked ?? "revoked") : "unlinked");
    this.#refused.delete(id);
    this.#tries.delete(id);
    this.#tokens.forget(id);
    if (!this.#subscribed.delete(id) && !this.#toEnd.has(id)) return;
    if (type === "removed" || way.outlivesAuthorization === true) {
      this.#toEnd.set(id, account);
      if (webhookId === undefined) return;
      await way.unsubscribe({ webhookId, userId: id });
      this.#toEnd.delete(id);
    }
    log.info({ account: username, webhook: webhookId }, "unsubscribed");
    publish({ type: "link-unsubscribed", data: { id, username } });
  }

  /** Marks all subscribed accounts as unreachable. */
  lose(reason: string): void {
    for (const id of this.#subscribed) this.#needs.reachability.down(id, reason);
  }

  /** Forgets all subscriptions, after the platform has deleted the webhook and its subscriptions. */
  reset(): void {
    this.#subscribed.clear();
  }

  /** Records a refusal of one account, with the time of its next try. */
  #refuse({ id, username }: WebhookLinkAccount, error: unknown): void {
    const { now, random, reachability, log, publish } = this.#needs;
    const trouble = troubleOf(error);
    const lost = lostPermission(error, username);
    const reason = lost ?? (trouble.kind === "platform" ? messageOf(error) : trouble.reason);
    const failed = (this.#tries.get(id)?.failed ?? 0) + 1;
    const nextAt = performance.now() + waitAfter(trouble, failed, now(), random());
    this.#tries.set(id, { failed, nextAt });
    this.#subscribed.delete(id);
    reachability.down(id, reason);
    if (this.#refused.get(id) === reason) return;
    this.#refused.set(id, reason);
    log.error({ account: username, reason }, "the platform refused the account's subscription");
    publish({ type: "link-refused", data: { id, username, reason } });
  }

  async #mendOne(account: WebhookLinkAccount, webhookId: string): Promise<void> {
    const { id, username } = account;
    const { reachability, log, publish } = this.#needs;
    const wasThere = this.#subscribed.delete(id);
    if (wasThere) {
      const reason = "the platform had its subscription no more";
      const since = new Date(reachability.down(id, reason)?.since ?? this.#needs.now());
      log.error({ account: username, since }, reason);
      const lost = { reason, since: since.toISOString(), account: { id, username } };
      publish({ type: "link-lost", data: lost });
    }
    if (performance.now() < (this.#tries.get(id)?.nextAt ?? 0)) return;
    await this.begin(account, webhookId);
    if (wasThere && this.#subscribed.has(id)) {
      publish({ type: "link-restored", data: { account: { id, username } } });
    }
  }

  #stands({ id, username }: WebhookLinkAccount, webhookId: string, inMs = 0): void {
    const { reachability, log, publish, now } = this.#needs;
    this.#needs.onStanding?.({ account: id, webhookId, isNew: inMs > 0, at: now() + inMs });
    reachability.proven(id);
    reachability.up(id, inMs);
    this.#refused.delete(id);
    this.#tries.delete(id);
    if (this.#subscribed.has(id)) return;
    this.#subscribed.add(id);
    log.info({ account: username, webhook: webhookId }, "subscribed");
    publish({ type: "link-subscribed", data: { id, username } });
  }
}
