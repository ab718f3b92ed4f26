import type { DeliveryChange, DeliveryWatch } from "../../runtime/catchup/delivery-watch.ts";

/** Whether any receiver accepts deliveries, and since when. */
export interface Service {
  readonly isServed: boolean;
  /** Time from which deliveries surely are accepted, or until which they surely were. Milliseconds since the epoch. */
  readonly since: number;
  readonly reason?: string;
}

/** Current service of the webhook by all receivers, with a subscription to its changes. */
export class ReceptionService {
  /** Current service; undefined until the receivers are known. */
  current: Service | undefined;
  readonly #listeners = new Set<(service: Service) => void>();

  change(next: Service): void {
    const isFirst = this.current === undefined;
    this.current = next;
    // A first report that no receiver accepts deliveries is not passed on: nothing was lost yet.
    if (isFirst && !next.isServed) return;
    for (const listener of this.#listeners) listener(next);
  }

  /** Returns a watch that reports an account as reachable only while `link` does and a receiver accepts deliveries. */
  watch(link: DeliveryWatch): DeliveryWatch {
    return { onReachable: (listener) => this.#follow(link, listener) };
  }

  #follow(link: DeliveryWatch, listener: (change: DeliveryChange) => void): () => void {
    const links = new Map<string, DeliveryChange>();
    const unlink = link.onReachable((change) => {
      links.set(change.account, change);
      if (!change.reachable) listener(change);
      else if (this.current?.isServed === true) listener(notBefore(this.current.since, change));
    });
    const served = ({ isServed, since, reason = "" }: Service): void => {
      for (const change of links.values()) {
        if (!change.reachable) continue;
        if (isServed) listener(notBefore(since, change));
        else listener({ account: change.account, reachable: false, since, reason });
      }
    };
    this.#listeners.add(served);
    return () => {
      this.#listeners.delete(served);
      unlink();
    };
  }
}

function notBefore(since: number, change: DeliveryChange): DeliveryChange {
  return { ...change, since: Math.max(change.since, since) };
}
