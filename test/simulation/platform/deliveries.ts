import type { FaultPlan } from "../faults.ts";
import type { Draws } from "../time/draws.ts";
import type { Scheduler } from "../time/scheduler.ts";
import type { Owner } from "../time/task-heap.ts";
import type { Trace } from "../trace.ts";

/** Process that receives deliveries. */
export interface Receiver extends Owner {
  /** Resolves when the delivery is stored and may be acknowledged. */
  receive(delivery: object): Promise<unknown>;
}

/** Event that the platform delivers to the bot. */
export interface Delivery {
  /** Key by which the bot's journal identifies the event. */
  readonly key: string;
  readonly body: object;
  readonly person: string;
  acknowledged: boolean;
}

export interface DeliveryNeeds {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly faults: FaultPlan;
  readonly trace: Trace;
  /** Bots that accept deliveries now. */
  readonly receivers: () => readonly Receiver[];
}

const ACK_WEIGHT = 10;
const PATIENCE_MS = 10_000;

/** Delivers each event to a listening bot, and retries until it is acknowledged. */
export class Deliveries {
  readonly all: Delivery[] = [];
  readonly #needs: DeliveryNeeds;
  #open = 0;

  constructor(needs: DeliveryNeeds) {
    this.#needs = needs;
  }

  /** Number of deliveries without acknowledgement. */
  get open(): number {
    return this.#open;
  }

  send(key: string, body: object, person: string): void {
    const delivery: Delivery = { key, body, person, acknowledged: false };
    this.all.push(delivery);
    this.#open += 1;
    this.#attempt(delivery);
    const { draws, scheduler, faults } = this.#needs;
    if (!this.#faulty(faults.deliveryDoubled)) return;
    scheduler.after(draws.between(0, 5_000), undefined, () => this.#attempt(delivery, true));
  }

  #faulty(rate: number): boolean {
    const { scheduler, faults, draws } = this.#needs;
    return scheduler.now < faults.until && draws.chance(rate);
  }

  /** @param again Delivers even if the event may have been acknowledged. */
  #attempt(delivery: Delivery, again = false): void {
    const { scheduler, draws, faults, trace } = this.#needs;
    if (delivery.acknowledged && !again) return;
    if (!again) scheduler.after(this.#patience(), undefined, () => this.#attempt(delivery));
    if (this.#faulty(faults.deliveryLost)) {
      trace.add("platform", () => `delivers ${delivery.key}: lost on the way`, delivery.person);
      return;
    }
    const slow = this.#faulty(faults.deliveryLate) ? draws.between(100, 9_000) : 0;
    const ms = slow + draws.between(1, 80);
    scheduler.after(ms, undefined, () => this.#arrive(delivery));
  }

  #patience(): number {
    return this.#needs.draws.between(2_000, PATIENCE_MS);
  }

  #arrive(delivery: Delivery): void {
    const { scheduler, draws, trace } = this.#needs;
    const listening = this.#needs.receivers();
    const receiver = listening[draws.below(listening.length)];
    const { key, person } = delivery;
    if (receiver === undefined) {
      trace.add("platform", () => `delivers ${key}: nobody listens`, person);
      return;
    }
    const arrive = (): void => {
      trace.add("platform", () => `delivers ${key} to ${receiver.name}`, person);
      receiver.receive(delivery.body).then(
        () => scheduler.after(draws.between(0.1, 30), undefined, () => this.#answered(delivery)),
        () => trace.add("platform", () => `gets 500 for ${key}`, person),
      );
    };
    scheduler.after(0, receiver, arrive, ACK_WEIGHT);
  }

  #answered(delivery: Delivery): void {
    const { trace, faults } = this.#needs;
    const { key, person } = delivery;
    if (this.#faulty(faults.ackLost)) {
      trace.add("platform", () => `loses the 200 for ${key}`, person);
      return;
    }
    trace.add("platform", () => `gets 200 for ${key}`, person);
    if (delivery.acknowledged) return;
    delivery.acknowledged = true;
    this.#open -= 1;
  }
}
