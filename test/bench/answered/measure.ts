import { setTimeout as delay } from "node:timers/promises";
import { delivery } from "../answering/deliverer.ts";
import { quantile } from "../numbers.ts";
import type { Contender } from "./contender.ts";

/** Costs of one answered event. */
export interface Cost {
  /** Processor time of all threads of the bot, in microseconds. */
  readonly us: number;
  readonly trips: number;
  readonly transactions: number;
  readonly statements: number;
  /** Milliseconds from the delivery to the request of the answer. */
  readonly p50: number;
  readonly p99: number;
}

export interface Load {
  readonly events: number;
  /** Deliveries a second. Absent: all at once. */
  readonly rate?: number;
}

let lastPerson = 1_000;

/** Delivers messages, each from another person, waits until all are answered, and returns the cost of one message. */
export async function measure(
  { platform, deliverer, usage }: Contender,
  { events, rate }: Load,
): Promise<Cost> {
  const people = Array.from({ length: events }, () => String(++lastPerson));
  const requests = people.map((person) => delivery(Number(person) + 5_000_000, person));
  const sentAt = new Map<string, number>();
  const took: number[] = [];
  const answered = new Promise<void>((resolve) => {
    platform.onReply = (person) => {
      const sent = sentAt.get(person);
      if (sent === undefined) return;
      sentAt.delete(person);
      took.push(performance.now() - sent);
      if (took.length === events) resolve();
    };
  });
  const before = await usage();
  const startedAt = performance.now();
  for (const [place, request] of requests.entries()) {
    if (rate !== undefined) await until(startedAt + (place * 1_000) / rate);
    sentAt.set(people[place] ?? "", performance.now());
    void deliverer.send(request);
  }
  await answered;
  await delay(AFTERWARDS_MS);
  const after = await usage();
  platform.onReply = () => {};
  const each = (name: "cpuUs" | "trips" | "transactions" | "statements"): number =>
    (after[name] - before[name]) / events;
  return {
    us: each("cpuUs"),
    trips: each("trips"),
    transactions: each("transactions"),
    statements: each("statements"),
    p50: quantile(took, 0.5),
    p99: quantile(took, 0.99),
  };
}

/** Milliseconds to wait after the last answer, so that the work that follows it is measured, too. */
const AFTERWARDS_MS = 100;

async function until(time: number): Promise<void> {
  const ms = time - performance.now();
  if (ms > 0) await delay(ms);
}
