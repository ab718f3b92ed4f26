import type { NewEscalation } from "../../escalation.ts";
import type { NewTimer, RunWrite } from "../../run.ts";
import { areSeen, type CommitResult, type InputRef, type Transition } from "../../transition.ts";
import { clearLane, queueItem, withdraw } from "./apply-item.ts";
import type { PendingDecision } from "./pending.ts";
import { accountOf } from "./read.ts";
import type { LaneWork, WorkParts } from "./work.ts";

/** Takes one input in with everything that follows from it, or says why not. */
export function applyTransition(
  parts: WorkParts,
  one: Transition,
  partitionOf: (lane: string) => number,
): CommitResult {
  const { work } = parts;
  const attempts = attemptsAt(work, one.input);
  if (attempts === undefined) return "already-done";
  if (one.outcome === "retry") {
    putOff(work, one, attempts + 1);
    return "committed";
  }
  if (isStale(work, one)) return "stale";
  takeIn(work, one.input);
  decided(work, one, one.outcome, attempts + (one.outcome === "dead-lettered" ? 1 : 0));
  for (const source of one.sources) work.pending.sources.set(source.revision, source);
  const freed = one.runs.flatMap((run) => writeRun(work, run) ?? []);
  for (const id of one.cancelled ?? []) work.pending.timers.set(id, { do: "drop" });
  for (const timer of one.timers) setTimer(work, timer);
  for (const slot of freed) wakeNext(work, slot, one.at);
  for (const run of one.withdrawn ?? []) withdraw(parts, run, one.at);
  if (one.clearsLane !== undefined) clearLane(parts, one.lane, one.at, one.clearsLane);
  for (const write of one.state) work.write(write);
  for (const item of one.items) queueItem(parts, item, { partitionOf, at: one.at });
  for (const escalation of one.escalations ?? []) escalate(work, escalation);
  return "committed";
}

/** How often taking the input in has failed; `undefined`: it was taken in. */
function attemptsAt(work: LaneWork, input: InputRef): number | undefined {
  switch (input.kind) {
    case "inbox":
      return work.inputs.get(input.id)?.attempts;
    case "timer":
      return work.dueAt(input.id) === undefined ? undefined : 0;
    case "effect":
      return work.run(input.run)?.version === input.version ? 0 : undefined;
  }
}

function isStale(work: LaneWork, one: Transition): boolean {
  const { lane, offeredTo, slots = [], silencedBy } = one;
  if (one.state.some(({ key, version }) => work.versionOf(key) !== version)) return true;
  // A new run can't be there: the input that starts it was not taken in before.
  if (one.runs.some(({ id, version }) => version > 0 && (work.run(id)?.version ?? 0) !== version)) {
    return true;
  }
  if (offeredTo !== undefined) {
    const listeners = work.listeners(lane);
    const same = (run: (typeof listeners)[number], place: number): boolean =>
      offeredTo[place]?.id === run.id && offeredTo[place]?.version === run.version;
    if (listeners.length !== offeredTo.length || !listeners.every(same)) return true;
  }
  const isOther = slots.some(
    (seen) =>
      !areSeen(
        seen,
        work.holders(seen.slot).map(({ id, queues }) => ({ id, ...(queues && { queues }) })),
      ),
  );
  if (isOther) return true;
  if (silencedBy === undefined) return false;
  const now = work.silencesIn(lane, accountOf(lane));
  return now.length !== silencedBy.length || now.some((id, at) => id !== silencedBy[at]);
}

function putOff(work: LaneWork, one: Transition, attempts: number): void {
  const input = one.input.kind === "inbox" ? work.inputs.get(one.input.id) : undefined;
  if (input === undefined) return;
  input.attempts = attempts;
  work.pending.putOff.set(input.seq, { input, retryAt: one.retryAt ?? one.at });
  decided(work, one, "open", attempts);
}

function takeIn(work: LaneWork, input: InputRef): void {
  if (input.kind === "timer") work.pending.timers.set(input.id, { do: "drop" });
  if (input.kind !== "inbox") return;
  const found = work.inputs.get(input.id);
  if (found === undefined) return;
  work.inputs.delete(input.id);
  work.pending.putOff.delete(input.id);
  work.pending.takenIn.set(input.id, found);
  work.pending.count("inbox", -1);
}

function decided(
  work: LaneWork,
  { decision, at }: Transition,
  state: PendingDecision["state"],
  attempts: number,
): void {
  if (decision === undefined) return;
  work.pending.decide({ seq: decision.seq, state, attempts, at, text: decision.text });
}

/** @returns The slot that has become free by it. */
function writeRun(work: LaneWork, write: RunWrite): string | undefined {
  const { id, seq, owner, lane, status } = write;
  const { pending } = work;
  const flags = { listens: write.listens === true, queues: write.queues === true };
  const waitsFor = write.waitsFor ?? null;
  const before = write.version === 0 ? undefined : work.run(id);
  countRun(work, before?.status, status);
  if (before === undefined) {
    const slot = write.slot ?? null;
    const ordinal = Number.MAX_SAFE_INTEGER - NEW_RUNS + pending.runs.size;
    work.addRun({ id, seq, owner, lane, ordinal, status, waitsFor, version: 1, ...flags, slot });
    pending.runs.set(id, { write, isNew: true, version: 1 });
    return undefined;
  }
  const freed = isOpen(before.status) && !isOpen(status) ? before.slot : null;
  Object.assign(before, { status, waitsFor, version: before.version + 1, ...flags });
  const isNew = pending.runs.get(id)?.isNew === true;
  pending.runs.set(id, { write, isNew, version: before.version });
  return freed ?? undefined;
}

function countRun(work: LaneWork, from: string | undefined, to: string): void {
  if (from === "ready" || from === "waiting") work.pending.count(`run.${from}`, -1);
  if (to === "ready" || to === "waiting") work.pending.count(`run.${to}`, 1);
}

/** One of that name that is there stays as it is. */
function setTimer(work: LaneWork, timer: NewTimer): void {
  const before = work.pending.timers.get(timer.id);
  if (before !== undefined && before.do !== "drop") return;
  work.pending.timers.set(timer.id, { do: "put", timer, replace: before !== undefined });
}

/** One that held the slot has ended: the next that queues and was not woken yet has its turn at `at`. */
function wakeNext(work: LaneWork, slot: string, at: number): void {
  for (const { queues, waitsFor } of work.holders(slot)) {
    const dueAt = queues && waitsFor !== null ? work.dueAt(waitsFor) : undefined;
    if (waitsFor === null || dueAt === undefined || dueAt <= at) continue;
    const before = work.pending.timers.get(waitsFor);
    if (before?.do === "put") {
      work.pending.timers.set(waitsFor, { ...before, timer: { ...before.timer, dueAt: at } });
    } else work.pending.timers.set(waitsFor, { do: "move", dueAt: at });
    return;
  }
}

function escalate(work: LaneWork, escalation: NewEscalation): void {
  if (!work.addEscalation(escalation.key, escalation.silences?.scope)) return;
  work.pending.escalations.push(escalation);
}

function isOpen(status: string): boolean {
  return status === "ready" || status === "waiting";
}

/** New runs come behind all that were there, in their order. */
const NEW_RUNS = 1_000_000;
