import type { AnswerCounts } from "../in-memory/answer-counts.ts";
import type { MachinePort } from "../machine/port.ts";
import { assigned } from "../tables/columns.ts";
import { DECISIONS } from "../tables/tables.ts";
import type { Database } from "./binding.ts";
import type { Escalations } from "./escalations.ts";
import type { Restored } from "./file/restored.ts";
import type { Inbox } from "./inbox.ts";
import type { OutboxTable } from "./outbox.ts";
import { rowInsert } from "./row-writes.ts";
import type { KnownRun, Runs } from "./runs.ts";
import type { State } from "./state.ts";

/** Tables that a transition reads and writes. */
export interface MachineTables {
  readonly inbox: Inbox;
  readonly outbox: OutboxTable;
  readonly runs: Runs;
  readonly state: State;
  readonly escalations: Escalations;
  readonly limits: AnswerCounts;
  readonly restored: Restored;
}

/** Implements the state machine's port with these tables. */
export function machinePort(db: Database, tables: MachineTables): MachinePort<KnownRun> {
  const { inbox, outbox, runs, state, escalations, limits, restored } = tables;
  const record = rowInsert(
    db,
    DECISIONS,
    `ON CONFLICT (seq) DO UPDATE SET ${assigned(DECISIONS.changing)}`,
  );
  return {
    limits,
    attempts: (input) => inbox.attemptsAt(input),
    removeInput: (input) => inbox.remove(input),
    deferInput: (input, attempts, retryAt) => inbox.defer(input, attempts, retryAt),
    decide: ({ seq, state, attempts, at: decided_at, text: decision }) =>
      void record({ seq, state, attempts, decided_at, decision }),
    keepSource: (source) => runs.saveSource(source),
    run: (id) => runs.find(id),
    runVersion: (id) => runs.versionOf(id),
    listeners: (lane) => runs.listeners(lane).map(({ run }) => run),
    holders: (slot) => runs.holders(slot),
    writeRun: (run, before) => runs.write(run, before),
    dueAt: (timer) => runs.dueAt(timer),
    setTimer: (timer) => runs.setTimer(timer),
    moveTimer: (timer, dueAt) => runs.moveTimer(timer, dueAt),
    dropTimer: (timer) => runs.dropTimer(timer),
    stateVersion: (key) => state.versionOf(key),
    writeState: (write) => state.write(write),
    silencesIn: (lane) => escalations.silences(lane).map(({ id }) => id),
    addEscalation: (escalation) => escalations.add(escalation),
    doubt: (item) => restored.doubt(item),
    isFree: (lane) => outbox.isFree(lane),
    addItem: (item, itemState) => outbox.add(item, itemState),
    changeItem: (item, itemState) => outbox.change(item, itemState),
    unsentOf: (run) => outbox.unsentOf(run),
    unsentIn: (lane) => outbox.unsentIn(lane),
    addSettled: ({ lane, id }) => inbox.addSettled(lane, id),
  };
}
