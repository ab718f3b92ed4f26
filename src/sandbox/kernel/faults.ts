import * as z from "zod";
import { Random } from "./random.ts";

const FAULT_TYPES = [
  "drop",
  "duplicate",
  "delay",
  "reorder",
  "status",
  "timeout",
  "cut",
  "cut_after",
  "limit",
  "skew",
] as const;

/** A fault as it is asked for: what it hits, what it does, and when. */
export const faultRequest = z.strictObject({
  match: z.strictObject({
    direction: z.enum(["delivery", "challenge", "request"]),
    method: z.string().min(1).optional(),
    path: z.string().startsWith("/").optional().describe("Exact, with `*` for any run of text."),
    event: z.string().min(1).optional().describe("Top-level event key, in either dialect."),
    account: z.string().min(1).optional().describe("User id."),
  }),
  fault: z.strictObject({
    type: z.enum(FAULT_TYPES),
    ms: z.int().min(0).max(3_600_000).optional(),
    status: z.int().min(100).max(599).optional(),
    n: z.int().min(1).max(100).optional(),
  }),
  when: z
    .union([
      z.strictObject({ next: z.int().min(1) }),
      z.strictObject({ every: z.int().min(1) }),
      z.strictObject({
        probability: z.number().min(0).max(1),
        seed: z.union([z.string(), z.number()]).optional(),
      }),
      z.strictObject({ always: z.literal(true) }),
    ])
    .default({ next: 1 }),
});

export type FaultRequest = z.infer<typeof faultRequest>;
export type Fault = FaultRequest["fault"];

/** What a fault may hit. */
export interface Occasion {
  readonly direction: FaultRequest["match"]["direction"];
  readonly method: string;
  readonly path: string;
  readonly event?: string | undefined;
  readonly account?: string | undefined;
}

interface Standing extends FaultRequest {
  readonly id: string;
  readonly draws: Random;
  seen: number;
  hits: number;
}

/** The faults that stand, and which of them strikes. */
export class Faults {
  #standing: Standing[] = [];
  #made = 0;

  add(request: FaultRequest): string {
    this.#made += 1;
    const id = String(this.#made);
    const seed = "probability" in request.when ? String(request.when.seed ?? "fault") : id;
    this.#standing.push({ ...request, id, draws: new Random(seed), seen: 0, hits: 0 });
    return id;
  }

  list(): {
    id: string;
    match: unknown;
    fault: unknown;
    when: unknown;
    seen: number;
    hits: number;
  }[] {
    return this.#standing.map(({ id, match, fault, when, seen, hits }) => ({
      id,
      match,
      fault,
      when,
      seen,
      hits,
    }));
  }

  /** Takes one fault away, or all of them. Gives how many went. */
  remove(id?: string): number {
    const before = this.#standing.length;
    this.#standing = id === undefined ? [] : this.#standing.filter((one) => one.id !== id);
    return before - this.#standing.length;
  }

  /** The first standing fault that strikes on this occasion. Counts the occasion. */
  strike(occasion: Occasion): Fault | undefined {
    for (const standing of this.#standing) {
      if (!matches(standing.match, occasion)) continue;
      standing.seen += 1;
      if (!falls(standing)) continue;
      standing.hits += 1;
      return standing.fault;
    }
    return undefined;
  }
}

function falls({ when, seen, hits, draws }: Standing): boolean {
  if ("next" in when) return hits < when.next;
  if ("every" in when) return seen % when.every === 0;
  if ("probability" in when) return draws.fraction() < when.probability;
  return true;
}

function matches(match: FaultRequest["match"], occasion: Occasion): boolean {
  return (
    match.direction === occasion.direction &&
    (match.method === undefined || match.method.toUpperCase() === occasion.method) &&
    (match.path === undefined || fits(match.path, occasion.path)) &&
    (match.event === undefined || sameEvent(match.event, occasion.event)) &&
    (match.account === undefined || match.account === occasion.account)
  );
}

function fits(pattern: string, path: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(path);
}

function sameEvent(wanted: string, event: string | undefined): boolean {
  return wanted.replace("tweet", "post") === event;
}
