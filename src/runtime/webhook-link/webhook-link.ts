import type { Client } from "../../client/client.ts";
import { PlatformError } from "../../client/errors.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Log } from "../log.ts";
import type { ReadinessPart } from "../readiness.ts";
import type { NewRuntimeEvent } from "../runtime-events.ts";
import { registerWebhook, type RegisteredWebhook } from "./register-webhook.ts";
import { subscribe, unsubscribe } from "./subscribe.ts";

/** A bot account as the link knows it. */
export interface WebhookLinkAccount {
  readonly id: string;
  readonly username: string;
  /** Set once its tokens no longer work. */
  readonly revoked?: string;
}

/** What became of an account. */
export interface WebhookLinkChange {
  readonly type: "linked" | "revoked" | "removed";
  readonly account: WebhookLinkAccount;
}

export interface WebhookLinkNeeds {
  /** The app's own client. */
  readonly app: Client<"bearer">;
  /** Public https URL of the webhook. */
  readonly url: string;
  /** The accounts whose events are to come. */
  readonly accounts: {
    list(): readonly WebhookLinkAccount[];
    subscribe(listener: (change: WebhookLinkChange) => void): () => void;
  };
  readonly clientOf: (account: string) => Client<"oauth1"> | undefined;
  readonly readiness: ReadinessPart;
  readonly publish: (event: NewRuntimeEvent) => void;
  readonly log: Log;
}

/** Webhook and subscriptions as they stand. */
export interface WebhookLinkStatus {
  readonly webhookId?: string;
  /** Whether the platform's latest challenge was answered. */
  readonly valid: boolean;
  /** Ids of the accounts whose events come. */
  readonly subscribed: ReadonlySet<string>;
  /** Why an account's events don't come, by account id. */
  readonly refused: ReadonlyMap<string, string>;
}

/** The tie between the platform's webhook and the linked accounts, kept as accounts come and go. */
export interface WebhookLink {
  /**
   * Registers the webhook and subscribes every account; what is there already is success.
   *
   * @throws {PlatformError} when the webhook can't be registered.
   */
  establish(): Promise<void>;
  status(): WebhookLinkStatus;
  /** Resolves when the changes so far have been carried out. */
  settled(): Promise<void>;
  /** Follows no further change, and resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** A link that is not established yet. */
export function webhookLink(needs: WebhookLinkNeeds): WebhookLink {
  return new FollowingLink(needs);
}

class FollowingLink implements WebhookLink {
  readonly #needs: WebhookLinkNeeds;
  readonly #unfollow: () => void;
  readonly #subscribed = new Set<string>();
  readonly #refused = new Map<string, string>();
  #webhook: RegisteredWebhook | undefined;
  /** One thing at a time: an account that is linked and removed at once ends up removed. */
  #work: Promise<void> = Promise.resolve();

  constructor(needs: WebhookLinkNeeds) {
    this.#needs = needs;
    this.#unfollow = needs.accounts.subscribe((change) => {
      this.#work = this.#work.then(() => this.#follow(change));
    });
  }

  async establish(): Promise<void> {
    const established = this.#work.then(() => this.#establish());
    this.#work = established.catch(() => {});
    await established;
  }

  status(): WebhookLinkStatus {
    const { id, valid = false } = this.#webhook ?? {};
    const known = { valid, subscribed: this.#subscribed, refused: this.#refused };
    return id === undefined ? known : { ...known, webhookId: id };
  }

  settled(): Promise<void> {
    return this.#work;
  }

  async stop(): Promise<void> {
    this.#unfollow();
    await this.#work;
  }

  async #establish(): Promise<void> {
    const { accounts, publish, readiness, url } = this.#needs;
    try {
      this.#webhook = await registerWebhook(this.#needs);
    } catch (error) {
      const reason = messageOf(error);
      readiness.notReady(`the webhook is not registered: ${reason}`);
      publish({ type: "link-failed", data: { reason } });
      throw error;
    }
    const { id: webhook, valid } = this.#webhook;
    publish({ type: "link-registered", data: { webhook, valid } });
    for (const account of accounts.list()) {
      if (account.revoked === undefined) await this.#subscribe(account, webhook);
    }
    if (valid) readiness.ready();
    else readiness.notReady(`the platform's challenge of ${url} was not answered`);
  }

  async #follow({ type, account }: WebhookLinkChange): Promise<void> {
    const webhookId = this.#webhook?.id;
    if (webhookId === undefined) return;
    const { id, username } = account;
    if (type === "linked") {
      await this.#subscribe(account, webhookId).catch((error: unknown) =>
        this.#refuse(account, messageOf(error)),
      );
    } else {
      await this.#unsubscribe(type, account, webhookId).catch((error: unknown) =>
        this.#needs.log.error({ err: error, account: username, id }, "not unsubscribed"),
      );
    }
  }

  /** A refusal of the platform is that account's alone; any other fault is thrown. */
  async #subscribe(account: WebhookLinkAccount, webhookId: string): Promise<void> {
    const { id, username } = account;
    const client = this.#needs.clientOf(id);
    if (client === undefined) return;
    try {
      await subscribe(client, webhookId);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      this.#refuse(account, error.message);
      return;
    }
    this.#subscribed.add(id);
    this.#refused.delete(id);
    this.#needs.log.info({ account: username, webhook: webhookId }, "subscribed");
    this.#needs.publish({ type: "link-subscribed", data: { id, username } });
  }

  /** A revoked account is the platform's to unsubscribe. */
  async #unsubscribe(
    type: "revoked" | "removed",
    { id, username }: WebhookLinkAccount,
    webhookId: string,
  ): Promise<void> {
    const { app, log, publish } = this.#needs;
    this.#refused.delete(id);
    if (!this.#subscribed.delete(id)) return;
    if (type === "removed") await unsubscribe(app, { webhookId, userId: id });
    log.info({ account: username, webhook: webhookId }, "unsubscribed");
    publish({ type: "link-unsubscribed", data: { id, username } });
  }

  #refuse({ id, username }: WebhookLinkAccount, reason: string): void {
    this.#subscribed.delete(id);
    this.#refused.set(id, reason);
    this.#needs.log.error({ account: username, reason }, "not subscribed");
    this.#needs.publish({ type: "link-refused", data: { id, username, reason } });
  }
}
