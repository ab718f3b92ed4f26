/** One attempt to reach a webhook, as `GET /_sandbox/deliveries` tells it. */
export interface DeliveryRecord {
  readonly seq: number;
  /** ISO 8601 by the sandbox's clock. */
  readonly at: string;
  readonly app_id: string;
  readonly webhook_id: string;
  readonly url: string;
  /** Top-level key of the body, or `crc`. */
  readonly event: string;
  readonly for_user_id: string | null;
  /** 1 for the first try. */
  readonly attempt: number;
  /** 0 where no answer came. */
  readonly status: number;
  readonly ms: number;
  readonly outcome: string;
  readonly replayed: boolean;
}

const KEPT = 20_000;

/** The latest attempts, oldest first. */
export class DeliveryLog {
  #records: DeliveryRecord[] = [];
  #seq = 0;

  add(record: Omit<DeliveryRecord, "seq">): DeliveryRecord {
    this.#seq += 1;
    const kept = { seq: this.#seq, ...record };
    this.#records.push(kept);
    if (this.#records.length > KEPT * 2) this.#records = this.#records.slice(-KEPT);
    return kept;
  }

  after(seq: number): DeliveryRecord[] {
    return this.#records.filter((record) => record.seq > seq);
  }

  clear(): void {
    this.#records = [];
  }
}
