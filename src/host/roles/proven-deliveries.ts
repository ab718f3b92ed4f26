import * as z from "zod";
import type { DeliveryChange, RaisedDoubt } from "../../runtime/catchup/delivery-watch.ts";
import type { Clock } from "../../runtime/clock/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { Store } from "../../runtime/store/store.ts";
import type { WebhookLink } from "../../runtime/webhook-link/link.ts";

export interface ProvenDeliveriesNeeds {
  readonly link: Pick<WebhookLink, "onReachable" | "onProof" | "onRefused">;
  readonly store: Pick<Store, "getMeta" | "setMeta">;
  readonly accounts: {
    find(id: string): object | undefined;
    subscribe(
      listener: (change: {
        readonly type: string;
        readonly account: { readonly id: string };
      }) => void,
    ): () => void;
  };
  readonly clock: Clock;
  readonly log: Log;
}

const doubt = z.object({
  /** Last time at which deliveries surely arrived. */
  since: z.number(),
  /** Time at which deliveries became doubtful. Only the arrival of a later delivery ends the doubt. */
  raisedAt: z.number(),
  reason: z.string(),
});

type Doubt = z.infer<typeof doubt>;

const record = z.record(z.string(), doubt);

/** Real milliseconds between two evaluations of deliveries that were refused unread: there may be thousands. */
const SHED_EVERY_MS = 1_000;

/** Milliseconds for which the platform retries a delivery: after 3, 27 and 242 seconds. */
const TRIED_FOR_MS = 5 * 60_000;

const NAME = "catchup/doubts";

/**
 * Corrects the changes of reachability that the webhook link reports. A loss begins with the last request that arrived
 * from the platform, because a webhook that the platform calls valid may be unreachable. An account whose deliveries
 * may be missing (a doubt) counts as unreachable. Doubts are stored on disk.
 */
export class ProvenDeliveries {
  readonly #needs: ProvenDeliveriesNeeds;
  readonly #doubts = new Map<string, Doubt>();
  /** Accounts with deliveries that were read and then refused, and that have to be read back from the platform. */
  readonly #refusedAccounts = new Set<string>();
  /** Latest change that the link reported, by account. */
  readonly #links = new Map<string, DeliveryChange>();
  readonly #listeners = new Set<(change: DeliveryChange) => void>();
  /** Time of the latest delivery, by account. */
  readonly #deliveries = new Map<string, number>();
  /** Time of the platform's latest request that names no account, such as a challenge. */
  #challenge: number;
  /** Time of the platform's latest request. */
  #last: number;
  readonly #ends: readonly (() => void)[];
  readonly #refuseAll: (at: number) => void;
  readonly #logFault: (error: unknown) => void;
  /** Whether no write of the doubts is queued. */
  #isKept = true;
  /** Whether the store accepted the latest write. If not, the platform's next request causes another. */
  #isStored = true;
  #keeping: Promise<void> = Promise.resolve();

  constructor(needs: ProvenDeliveriesNeeds) {
    this.#needs = needs;
    this.#challenge = this.#last = needs.clock.now();
    this.#refuseAll = throttle(SHED_EVERY_MS, (at) =>
      this.#refused(
        [...this.#links.values()].map(({ account }) => account),
        at,
      ),
    );
    this.#logFault = throttle(LOG_EVERY_MS, (error) =>
      needs.log.error({ err: error }, "a period of possibly missed deliveries could not be stored"),
    );
    this.#ends = [
      needs.link.onProof(({ account, at }) => this.#proven(account, at)),
      needs.link.onRefused(({ account, at }) => {
        if (account === undefined) return this.#refuseAll(at);
        this.#refused([account], at);
        // Deliveries that were refused unread, under overload, are not read back: the backlog has to shrink first.
        if (this.#doubts.has(account)) this.#refusedAccounts.add(account);
      }),
      needs.accounts.subscribe(({ type, account }) => {
        if (type !== "linked" && this.#doubts.delete(account.id)) this.#keep();
      }),
    ];
  }

  /** Loads the stored doubts: accounts whose deliveries may be missing since an earlier process ran. */
  async load(): Promise<void> {
    const text = await this.#needs.store.getMeta(NAME);
    if (text === undefined) return;
    for (const [account, storedDoubt] of Object.entries(record.parse(JSON.parse(text)))) {
      if (this.#needs.accounts.find(account) !== undefined) this.#doubts.set(account, storedDoubt);
    }
  }

  onReachable(listener: (change: DeliveryChange) => void): () => void {
    this.#listeners.add(listener);
    const unlink = this.#needs.link.onReachable((change) => {
      this.#links.set(change.account, change);
      listener(this.#judged(change));
    });
    return () => {
      this.#listeners.delete(listener);
      unlink();
    };
  }

  raise({ accounts, since, reason }: RaisedDoubt): void {
    const raisedAt = this.#needs.clock.now();
    for (const account of accounts) {
      const earlier = this.#doubts.get(account);
      const begins = Math.min(since, earlier?.since ?? since);
      this.#doubts.set(account, { since: begins, raisedAt, reason });
      if (begins === earlier?.since) continue;
      this.#keep();
      this.#tell({ account, reachable: false, since: begins, reason });
    }
  }

  doubted(): readonly string[] {
    return [...this.#doubts.keys()].filter((id) => this.#links.get(id)?.reachable === true);
  }

  async takeRefused(): Promise<readonly string[]> {
    if (this.#refusedAccounts.size === 0) return [];
    const written = this.#keeping.then(() => this.#write());
    this.#keeping = written.then(() => undefined);
    if (!(await written)) return [];
    const accounts = [...this.#refusedAccounts];
    this.#refusedAccounts.clear();
    return accounts;
  }

  lastProof(account?: string): number {
    if (account === undefined) return this.#last;
    return this.#latest(this.#challenge, this.#deliveries.get(account));
  }

  async stop(): Promise<void> {
    for (const end of this.#ends) end();
    await this.#keeping;
  }

  /** Adapts a change of the link: an account with a doubt stays unreachable, and a loss begins at the last arrival. */
  #judged(change: DeliveryChange): DeliveryChange {
    const current = this.#doubts.get(change.account);
    if (change.reachable) {
      return current === undefined ? change : { ...change, ...current, reachable: false };
    }
    const isOfEarlierPass = this.#last > this.#needs.clock.now();
    const since = isOfEarlierPass ? this.#last : Math.min(change.since, this.#last);
    return { ...change, since };
  }

  /**
   * Records an arrival from the platform, for an account if it names one. Ends earlier doubts about missing deliveries.
   */
  #proven(account: string | undefined, at: number): void {
    this.#last = this.#latest(this.#last, at);
    if (account === undefined) this.#challenge = this.#latest(this.#challenge, at);
    else this.#deliveries.set(account, this.#latest(at, this.#deliveries.get(account)));
    if (!this.#isStored) this.#keep();
    if (this.#doubts.size === 0) return;
    const now = this.#needs.clock.now();
    for (const id of account === undefined ? [...this.#doubts.keys()] : [account]) {
      const { raisedAt } = this.#doubts.get(id) ?? {};
      // A doubt with a future time was raised before the clock was set back, so this arrival ends it too.
      if (raisedAt === undefined || (at < raisedAt && raisedAt <= now)) continue;
      this.#doubts.delete(id);
      this.#keep();
      const link = this.#links.get(id);
      if (link?.reachable === true) this.#tell({ ...link, since: Math.max(now, link.since) });
    }
  }

  /** Marks accounts as doubtful after a refused delivery: it may have been the platform's last attempt. */
  #refused(ids: readonly string[], at: number): void {
    const accounts = ids.filter((id) => this.#links.get(id)?.reachable === true);
    this.raise({ accounts, since: at - TRIED_FOR_MS, reason: "a delivery was turned away" });
  }

  /**
   * Returns the later time. A future time is from before the clock was set back: it counts only if both lie in the
   * future.
   */
  #latest(one: number, other = one): number {
    const now = this.#needs.clock.now();
    const past = [one, other].filter((at) => at <= now);
    return Math.max(...(past.length > 0 ? past : [one, other]));
  }

  #tell(change: DeliveryChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** Queues a write of the doubtful accounts to the store: simultaneous changes share a write. */
  #keep(): void {
    if (!this.#isKept) return;
    this.#isKept = false;
    this.#keeping = this.#keeping.then(async () => void (await this.#write()));
  }

  /** Writes the doubtful accounts to the store. @returns Whether the store accepted them. */
  async #write(): Promise<boolean> {
    this.#isKept = true;
    try {
      await this.#needs.store.setMeta(NAME, JSON.stringify(Object.fromEntries(this.#doubts)));
      this.#isStored = true;
    } catch (error) {
      this.#isStored = false;
      this.#logFault(error);
    }
    return this.#isStored;
  }
}
