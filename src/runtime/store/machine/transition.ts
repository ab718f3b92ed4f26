import { isOpenRun, type RunWrite } from "../run.ts";
import { areSeen, type InputRef, type Transition, type TransitionResult } from "../transition.ts";
import { clearLane, queueItem, withdraw } from "./items.ts";
import type { MachinePort, MachineRun, RunPort } from "./port.ts";

/**
 * Applies a transition: processes its input and stores all its effects, or changes nothing.
 *
 * | Input | Outcome | New state of the input | Result |
 * | --- | --- | --- | --- |
 * | processed before | any | unchanged | `already-done` |
 * | open | `retry` | deferred until `retryAt` | `committed` |
 * | open, data that it depends on has changed | `done`, `dead-lettered` | open | `stale` |
 * | open | `done`, `dead-lettered` | processed, with its effects | `committed`, or the item that is `sending` |
 */
export function applyTransition<Run extends MachineRun>(
  port: MachinePort<Run>,
  one: Transition,
): TransitionResult {
  const attempts = attemptsOf(port, one.input);
  if (attempts === undefined) return "already-done";
  if (one.outcome === "retry") {
    deferInput(port, one, attempts + 1);
    return "committed";
  }
  if (isStale(port, one)) return "stale";
  removeInput(port, one.input);
  decide(port, one, one.outcome, attempts + (one.outcome === "dead-lettered" ? 1 : 0));
  for (const source of one.sources) port.keepSource(source);
  changeRuns(port, one);
  for (const run of one.withdrawn ?? []) withdraw(port, run, one.at);
  if (one.clearsLane !== undefined) clearLane(port, one.lane, one.at, one.clearsLane);
  for (const write of one.state) port.writeState(write);
  let sending: number | undefined;
  for (const item of one.items) {
    const queued = queueItem(port, item, one.at, item.key === one.sends);
    if (queued?.status === "sending") sending = queued.id;
  }
  for (const escalation of one.escalations ?? []) port.addEscalation(escalation);
  return sending === undefined ? "committed" : { sending };
}

/** Part of the port for runs, timers and slots that {@link changeRuns} needs. */
export type RunChanges<Run extends MachineRun = MachineRun> = Omit<
  RunPort<Run>,
  "runVersion" | "listeners"
>;

/** Writes runs and timers. A slot that becomes free passes to the next run in its queue. */
export function changeRuns<Run extends MachineRun>(
  port: RunChanges<Run>,
  { runs, cancelled = [], timers, at }: Pick<Transition, "runs" | "cancelled" | "timers" | "at">,
): void {
  const freed = runs.map((run) => writeRun(port, run));
  for (const id of cancelled) port.dropTimer(id);
  for (const timer of timers) port.setTimer(timer);
  for (const slot of freed) if (slot !== undefined) wakeNext(port, slot, at);
}

/** Writes a run. @returns The slot that becomes free because the run has ended, if any. */
function writeRun<Run extends MachineRun>(
  port: RunChanges<Run>,
  run: RunWrite,
): string | undefined {
  const before = run.version === 0 ? undefined : port.run(run.id);
  port.writeRun(run, before);
  return before !== undefined && isOpenRun(before) && !isOpenRun(run) ? before.slot : undefined;
}

/** Wakes the next run that queues for a freed slot: its timer falls due at `at`. */
export function wakeNext(
  port: Pick<RunChanges, "holders" | "dueAt" | "moveTimer">,
  slot: string,
  at: number,
): void {
  for (const { queues, waitsFor } of port.holders(slot)) {
    if (queues !== true || waitsFor === undefined) continue;
    const dueAt = port.dueAt(waitsFor);
    if (dueAt === undefined || dueAt <= at) continue;
    port.moveTimer(waitsFor, at);
    return;
  }
}

/** Returns the number of failed attempts at an input; undefined if the input was processed before. */
function attemptsOf(port: MachinePort, input: InputRef): number | undefined {
  switch (input.kind) {
    case "inbox":
      return port.attempts(input.id);
    case "timer":
      return port.dueAt(input.id) === undefined ? undefined : 0;
    case "effect":
      return port.runVersion(input.run) === input.version ? 0 : undefined;
  }
}

/** Optimistic locking: true if values or runs that the transition writes, or its slots, listeners or silences, have changed. */
function isStale(port: MachinePort, one: Transition): boolean {
  return (
    one.state.some(({ key, version }) => port.stateVersion(key) !== version) ||
    // A run with version 0 is new and can't be stored yet, because its input was not processed before.
    one.runs.some(({ id, version }) => version > 0 && port.runVersion(id) !== version) ||
    isOfferedToOthers(port, one) ||
    (one.slots ?? []).some((seen) => !areSeen(seen, port.holders(seen.slot))) ||
    isSilencedByOthers(port, one)
  );
}

function isOfferedToOthers(port: MachinePort, { lane, offeredTo }: Transition): boolean {
  if (offeredTo === undefined) return false;
  const listeners = port.listeners(lane);
  const isSame = ({ id, version }: (typeof listeners)[number], place: number): boolean =>
    offeredTo[place]?.id === id && offeredTo[place].version === version;
  return listeners.length !== offeredTo.length || !listeners.every(isSame);
}

function isSilencedByOthers(port: MachinePort, { lane, silencedBy }: Transition): boolean {
  if (silencedBy === undefined) return false;
  const now = port.silencesIn(lane);
  return now.length !== silencedBy.length || now.some((id, place) => id !== silencedBy[place]);
}

function deferInput(port: MachinePort, one: Transition, attempts: number): void {
  if (one.input.kind !== "inbox") return;
  port.deferInput(one.input.id, attempts, one.retryAt ?? one.at);
  decide(port, one, "open", attempts);
}

function removeInput(port: MachinePort, input: InputRef): void {
  if (input.kind === "timer") port.dropTimer(input.id);
  if (input.kind === "inbox") port.removeInput(input.id);
}

function decide(
  port: MachinePort,
  { decision, at }: Transition,
  state: "open" | "done" | "dead-lettered",
  attempts: number,
): void {
  if (decision === undefined) return;
  port.decide({ seq: decision.seq, state, attempts, at, text: decision.text });
}
