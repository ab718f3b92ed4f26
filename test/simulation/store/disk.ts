import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { DiskFault, FaultPlan } from "../faults.ts";
import type { Draws } from "../time/draws.ts";
import type { Scheduler } from "../time/scheduler.ts";
import type { Owner } from "../time/task-heap.ts";
import type { Trace } from "../trace.ts";
import type { StoreCall, StoreDoor } from "./model-store.ts";

export interface DiskNeeds {
  /** Process that makes the calls. */
  readonly owner: Owner;
  readonly scheduler: Scheduler;
  readonly faults: FaultPlan;
  readonly draws: Draws;
  readonly trace: Trace;
}

const WRITE_WEIGHT = 10;

/**
 * Path of one process's calls to the disk: a write is first volatile, then durable, then reported as done. Between
 * these states time passes, and the process may crash. Concurrent calls may overtake each other.
 *
 * If only one process uses the store, a crash loses what was not durable. A store that several processes share (a
 * database server) still completes the writes that it has received.
 */
export function diskOf({ owner, scheduler, faults, draws, trace }: DiskNeeds): StoreDoor {
  const delay = (): number => {
    const slow = scheduler.now < faults.until && draws.chance(0.2);
    return draws.between(0.05, slow ? faults.slowestDiskMs : 2);
  };
  const fault = (): DiskFault | undefined => {
    if (scheduler.now >= faults.until || !draws.chance(faults.disk)) return undefined;
    return draws.chance(0.5) ? "before it is kept" : "after it is kept";
  };

  return <T>(call: StoreCall<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const failed = (when: DiskFault): void => {
        const text = (): string => `${nameOf(call)} fails ${when}`;
        if (call.writes) trace.add(owner.name, text, personOf(call));
        else trace.addMinor(owner.name, () => `${nameOf(call)} fails`);
        reject(new StoreError("store-io", "the disk failed"));
      };
      const fails = fault();
      if (!call.writes) {
        const read = (): void => {
          if (fails !== undefined) return failed(fails);
          const result = call.act();
          tell(call, result, owner, trace);
          resolve(result);
        };
        scheduler.after(delay(), owner, read);
        return;
      }
      const keep = (): void => {
        if (fails === "before it is kept") {
          scheduler.after(delay(), owner, () => failed(fails), WRITE_WEIGHT);
          return;
        }
        const answer = resultOf(call);
        tell(call, answer, owner, trace);
        const tellCaller = (): void => {
          if (fails !== undefined) failed(fails);
          else if (answer instanceof StoreError) reject(answer);
          else resolve(answer);
        };
        scheduler.after(delay(), owner, tellCaller, WRITE_WEIGHT);
      };
      scheduler.after(delay(), faults.shared ? undefined : owner, keep, WRITE_WEIGHT);
    });
}

function resultOf<T>(call: StoreCall<T>): T | StoreError {
  try {
    return call.act();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

/** Adds a call to the trace. Calls made every second appear only if they changed or returned something. */
function tell<T>(call: StoreCall<T>, result: T | StoreError, owner: Owner, trace: Trace): void {
  if (!trace.isRecorded) return;
  const resultText =
    result instanceof StoreError
      ? `refused, ${result.message}`
      : (call.outcome?.(result) ?? (call.writes ? "kept" : ""));
  if (resultText === "") return;
  const text = (): string => `${nameOf(call)}: ${resultText}`;
  if (call.writes && call.name !== "prune") trace.add(owner.name, text, personOf(call));
  else trace.addMinor(owner.name, text);
}

function nameOf<T>({ name, about }: StoreCall<T>): string {
  return `${name} ${about()}`.trimEnd();
}

/** Returns the person whose conversations a store call is about; undefined if there are several people or none. */
function personOf<T>({ lanes }: StoreCall<T>): string | undefined {
  const people = new Set((lanes?.() ?? []).map((lane) => lane?.split("/")[1]));
  const [person] = people;
  return people.size === 1 ? person : undefined;
}
