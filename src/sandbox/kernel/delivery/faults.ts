import * as z from "zod";
import { canonicalSegment } from "../http/dialect.ts";
import { ApiError } from "../http/api-error.ts";
import { Random } from "../world/random.ts";

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
  "end",
  "disconnect",
  "stall",
] as const;

/** Fault types for lines of a stream. The last three apply to streams only. */
const OF_STREAMS: readonly string[] = [
  "drop",
  "duplicate",
  "delay",
  "cut",
  "cut_after",
  "end",
  "disconnect",
  "stall",
];
const STREAMS_ONLY: readonly string[] = ["end", "disconnect", "stall"];

/** A requested fault: its conditions, its effect, and when it applies. */
export const faultRequest = z.strictObject({
  match: z.strictObject({
    direction: z.enum(["delivery", "challenge", "request", "stream"]),
    method: z.string().min(1).optional(),
    path: z
      .string()
      .startsWith("/")
      .optional()
      .describe("Whole path, in either dialect; `*` matches any text, also an empty one."),
    event: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Top-level key of the event, in either dialect; for streams, `post` or `keep_alive`.",
      ),
    account: z.string().min(1).optional().describe("User id of the account."),
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
      z.strictObject({ until: z.iso.datetime({ offset: true }) }),
    ])
    .default({ next: 1 }),
});

export type FaultRequest = z.infer<typeof faultRequest>;

/**
 * Returns why a fault is impossible: a type that its direction does not have, such as `stall` for requests, or an
 * informational status, which ends no response. Returns `undefined` for a possible fault.
 */
export function impossibleFault({
  match: { direction },
  fault: { type, status = 503 },
}: FaultRequest): string | undefined {
  if (status < 200) return `fault.status: ${status} is informational; write 200 to 599`;
  if (direction === "stream" && !OF_STREAMS.includes(type)) {
    return `fault.type: ${type} does not strike streams; write one of ${OF_STREAMS.join(", ")}`;
  }
  if (direction === "stream" || !STREAMS_ONLY.includes(type)) return undefined;
  return `fault.type: ${type} strikes streams only; write match.direction stream`;
}

/** Effect of a fault: its type and parameters. */
export type InjectedFault = FaultRequest["fault"];

/** A fault that applies to a request, delivery, challenge or stream line: its effect and its id. */
export interface MetFault extends InjectedFault {
  readonly id: string;
}

/** Properties of a request, delivery, challenge or stream line that a fault's conditions refer to. */
export interface FaultContext {
  readonly direction: FaultRequest["match"]["direction"];
  readonly method: string;
  readonly path: string;
  readonly event?: string | undefined;
  readonly account?: string | undefined;
}

interface ActiveFault extends FaultRequest {
  readonly id: string;
  readonly seed: string;
  readonly random: Random;
  seen: number;
  hits: number;
}

const savedFaults = z.strictObject({
  count: z.int().min(0),
  active: z.array(
    faultRequest.extend({
      id: z.string(),
      seed: z.string(),
      drawn: z.int().min(0),
      seen: z.int().min(0),
      hits: z.int().min(0),
    }),
  ),
});

/** The active faults. Decides which fault applies to a request, delivery, challenge or stream line. */
export class Faults {
  readonly #changed: () => void;
  readonly #now: () => number;
  #active: ActiveFault[] = [];
  #count = 0;

  /**
   * @param changed Called after every change of the faults, including changes of their counts.
   * @param now The sandbox's time, milliseconds since the Unix epoch.
   */
  constructor(changed: () => void, now: () => number) {
    this.#changed = changed;
    this.#now = now;
  }

  /** Returns the active faults with their counts and random state, to be saved with the world. */
  state(): z.infer<typeof savedFaults> {
    const active = this.#active.map(({ random, ...rest }) => ({ ...rest, drawn: random.drawn }));
    return { count: this.#count, active };
  }

  /** Restores the faults from a saved {@link state}. @throws {ApiError} 400 for an invalid state. */
  resume(state: unknown): void {
    const result = savedFaults.safeParse(state);
    if (!result.success) {
      const issue = result.error.issues[0];
      const message = `faults.${issue?.path.join(".")}: ${issue?.message}`;
      throw ApiError.control(400, "invalid_state", message);
    }
    this.#count = result.data.count;
    this.#active = result.data.active.map(({ drawn, ...rest }) => ({
      ...rest,
      random: new Random(rest.seed, drawn),
    }));
  }

  add(request: FaultRequest): string {
    this.#count += 1;
    const id = String(this.#count);
    const seed = "probability" in request.when ? String(request.when.seed ?? "fault") : id;
    this.#active.push({ ...request, id, seed, random: new Random(seed), seen: 0, hits: 0 });
    this.#changed();
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
    return this.#active.map(({ id, match, fault, when, seen, hits }) => ({
      id,
      match,
      fault,
      when,
      seen,
      hits,
    }));
  }

  /** Removes one fault, or all of them. Returns how many were removed. */
  remove(id?: string): number {
    const before = this.#active.length;
    this.#active = id === undefined ? [] : this.#active.filter((one) => one.id !== id);
    this.#changed();
    return before - this.#active.length;
  }

  /** Returns the first fault whose conditions match and whose `when` applies now; updates the match counts. */
  trigger(context: FaultContext): MetFault | undefined {
    const matching = this.#active.filter(({ match }) => matches(match, context));
    if (matching.length === 0) return undefined;
    for (const active of matching) active.seen += 1;
    const due = matching.find((active) => isDue(active, this.#now()));
    if (due !== undefined) due.hits += 1;
    this.#changed();
    return due && { id: due.id, ...due.fault };
  }
}

function isDue({ when, seen, hits, random }: ActiveFault, now: number): boolean {
  if ("next" in when) return hits < when.next;
  if ("every" in when) return seen % when.every === 0;
  if ("probability" in when) return random.fraction() < when.probability;
  return "until" in when ? now < Date.parse(when.until) : true;
}

function matches(match: FaultRequest["match"], context: FaultContext): boolean {
  return (
    match.direction === context.direction &&
    (match.method === undefined || match.method.toUpperCase() === context.method) &&
    (match.path === undefined || matchesPath(match.path, context.path)) &&
    (match.event === undefined || sameEvent(match.event, context.event)) &&
    (match.account === undefined || match.account === context.account)
  );
}

function matchesPath(pattern: string, path: string): boolean {
  const inPostDialect = (text: string): string => text.replace(/[^/*]+/g, canonicalSegment);
  const parts = inPostDialect(pattern)
    .split("*")
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(inPostDialect(path));
}

/** Returns whether `wanted`, in either dialect, names the event that `event` names in the post dialect. */
export function sameEvent(wanted: string, event: string | undefined): boolean {
  return wanted.replace("tweet", "post") === event;
}
