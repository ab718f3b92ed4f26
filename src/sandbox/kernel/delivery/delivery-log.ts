import { RecentItems } from "../../../system/recent-items.ts";

/** An attempt to reach a webhook: its target, its event and its outcome. */
export interface WebhookAttempt {
  readonly app_id: string;
  readonly webhook_id: string;
  readonly url: string;
  /** Top-level key of the delivered body, or `crc` for a challenge. */
  readonly event: string;
  readonly for_user_id: string | null;
  /** Number of the attempt to deliver this event; 1 for the first. */
  readonly attempt: number;
  readonly outcome: string;
  readonly replayed: boolean;
  /** Id of the delivered activity, the same in each attempt; null for challenges and the end of a replay. */
  readonly activity_id: string | null;
}

/** Attempt to reach a webhook, in the form that `GET /_sandbox/deliveries` returns. */
export interface DeliveryRecord extends WebhookAttempt {
  readonly seq: number;
  /** Time at which the attempt ended, in ISO 8601 by the sandbox's clock. */
  readonly at: string;
  /** Status of the response; 0 if none came. */
  readonly status: number;
  readonly ms: number;
  /** Number under which `GET /_sandbox/exchanges/:seq` returns request and response, while they are stored. */
  readonly exchange: number;
}

const CAPACITY = 20_000;

/** The latest attempts to reach webhooks, oldest first. */
export class DeliveryLog {
  readonly #records = new RecentItems<DeliveryRecord>(CAPACITY);

  add(record: Omit<DeliveryRecord, "seq">): DeliveryRecord {
    return this.#records.add((seq) => ({ seq, ...record }));
  }

  after(seq: number): readonly DeliveryRecord[] {
    return this.#records.after(seq);
  }

  clear(): void {
    this.#records.clear();
  }
}
