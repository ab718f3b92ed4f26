/** Entry point for other folders: types of the runtime. Values come from the other entry points. */
export type { LinkedAccount } from "./accounts/linked-account.ts";
export type { AccountsStore } from "./accounts/stored-accounts.ts";
export type { Clock } from "./clock/clock.ts";
export type { RuntimeConnection } from "./control/call.ts";
export type { Answers, ControlHandlers, Requests } from "./control/contract.ts";
export type { ReplayShown } from "./control/coverage-schema.ts";
export type { RecentLine, RecentLog } from "./control/recent-log.ts";
export type { OperationName } from "./control/routes.ts";
export type { RuntimeStatus } from "./control/status-schema.ts";
export type { DueTimes } from "./loop/due-times.ts";
export type { PlatformAccess } from "./platform/clients.ts";
export type { SandboxFile } from "./platform/sandbox-file.ts";
export type { Snapshot } from "./platform/snapshots.ts";
export type { RulesInForce } from "./reload/rules-in-force.ts";
export type { EffectPerformer, RunEffect } from "./runs/effect.ts";
export type { ReadEntry } from "./runs/entry-event.ts";
export type { KeptHandler } from "./runs/handlers/kept-handler.ts";
export type { Interpret } from "./runs/interpreter.ts";
export type { Interpretation, LaneEvent } from "./runs/lane-event.ts";
export type { Lanes } from "./runs/lanes.ts";
export type { Memory } from "./runs/memory.ts";
export type { OptOut } from "./runs/restraints/opt-out-words.ts";
export type { ReplyLimits } from "./runs/restraints/reply-limits.ts";
export type { TakeIn } from "./runs/take-in.ts";
export type {
  RuntimeEvent,
  RuntimeEventFeed,
  RuntimeEventOf,
  RuntimeEventType,
  RuntimeEventTypes,
} from "./runtime-events.ts";
export type { MovedRows, OnMoveProgress } from "./store/copy/copy.ts";
export type { Entry, EntrySource, NewEntry } from "./store/entry.ts";
export type { StoreErrorCode } from "./store/errors.ts";
export type { Escalation, NewEscalation, Silence } from "./store/escalation.ts";
export type { CountedStatus, Item, ItemStatus, ItemTransition, NewItem } from "./store/item.ts";
export type { Lease } from "./store/lease.ts";
export type { JournalRow } from "./store/listings.ts";
export type { RunChanges } from "./store/machine/transition.ts";
export type { PoolOptions } from "./store/open.ts";
export type { ServerRisk } from "./store/postgres/database.ts";
export type {
  NewTimer,
  RunAndEntry,
  RunRecord,
  RunStatus,
  RunWrite,
  StoredRun,
} from "./store/run.ts";
export type { BackupAbout } from "./store/sqlite/backup/backup-contents.ts";
export type { BackupFileName } from "./store/sqlite/backup/backup-names.ts";
export type { RestoredStore } from "./store/sqlite/backup/restore.ts";
export type { EscalationPort, ReadPort, Store } from "./store/store.ts";
export type { InputRef, LaneInput, StateValue, StateWrite } from "./store/transition.ts";
export type { SubscriptionWay } from "./webhook-link/ways.ts";
export type { WebhookRouter } from "./webhook/router.ts";
