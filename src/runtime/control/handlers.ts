import type { Store } from "../store/store.ts";
import type { Answers, CheckedRequests, ControlHandlers } from "./contract.ts";

export interface HandlerNeeds {
  readonly status: () => Promise<Answers["status"]>;
  readonly store: Pick<Store, "journal" | "items">;
  readonly catchup: CatchupOperations;
  readonly accounts: AccountChanges;
  readonly items: ItemChanges;
  readonly escalations: EscalationOperations;
  readonly answers: AnswerOperations;
  readonly holdBack: HoldBackOperations;
  readonly backups: BackupOperations;
  readonly reload: () => Promise<Answers["reload"]>;
  readonly forget: (person: string) => Promise<Answers["forget"]>;
  readonly limits: () => Answers["limits"];
}

/** Sign-ins to the console and their sessions. */
export interface ConsoleOperations {
  readonly sessions: {
    list(): Answers["consoleSessions"];
    /** Ends a session; all sessions if `id` is absent. @returns The number of sessions that were ended. */
    end(id?: string): Promise<number>;
  };
  invite(request: CheckedRequests["openConsole"]): Promise<Answers["openConsole"]>;
}

/** Operations on escalations. */
export interface EscalationOperations {
  list(query: CheckedRequests["escalations"]): Promise<Answers["escalations"]>;
  resolve(id: number): Promise<Answers["resolveEscalation"]>;
}

/** Answers that operators write by hand. */
export interface AnswerOperations {
  answer(request: CheckedRequests["answerByHand"]): Promise<Answers["answerByHand"]>;
}

/** Pauses and resumes accounts, and releases answers that are held back. */
export interface HoldBackOperations {
  pause(request: CheckedRequests["pause"]): Promise<Answers["pause"]>;
  resume(request: CheckedRequests["resume"]): Promise<Answers["resume"]>;
}

/** Operations that keep the store's file unchanged while another process copies it. */
export interface BackupOperations {
  begin(): Promise<Answers["beginBackup"]>;
  /** Renews a hold. @returns `false` if the hold is over. */
  keep(id: string): boolean;
  /** Ends a hold. @returns Whether the file was unchanged during the copying. */
  end(id: string): Promise<boolean>;
}

/** Changes of single outbox items, at an operator's request. */
export interface ItemChanges {
  retry(id: number, anyway: boolean): Promise<Answers["retryItem"]>;
  settle(id: number, as: Omit<CheckedRequests["settleItem"], "id">): Promise<Answers["settleItem"]>;
  drop(id: number): Promise<Answers["dropItem"]>;
}

/** Coverage of time by received events, and replays of missed time. */
export interface CatchupOperations {
  coverage(query: CheckedRequests["coverage"]): Promise<Answers["coverage"]>;
  replays(): Answers["replays"]["replays"];
  replay(window: CheckedRequests["replay"]): Answers["replay"] | Promise<Answers["replay"]>;
}

/** Linking and unlinking of accounts. Other processes ask the running runtime to do it. */
export interface AccountChanges {
  link(account: CheckedRequests["linkAccount"]): Promise<Answers["linkAccount"]>;
  /** Unlinks an account. @returns `false` if no account has this id. */
  unlink(id: string): Promise<boolean>;
}

/** Creates a handler for each operation, for a runtime without a console. */
export function controlHandlers(needs: HandlerNeeds): ControlHandlers {
  const { status, store, catchup, accounts, items, holdBack, backups, reload, forget } = needs;
  return {
    status: () => status(),
    journal: (query) => store.journal(query),
    outbox: (query) => store.items(query),
    retryItem: ({ id, anyway }) => items.retry(id, anyway),
    settleItem: ({ id, ...settlement }) => items.settle(id, settlement),
    dropItem: ({ id }) => items.drop(id),
    escalations: (query) => needs.escalations.list(query),
    resolveEscalation: ({ id }) => needs.escalations.resolve(id),
    answerByHand: (request) => needs.answers.answer(request),
    limits: async () => needs.limits(),
    pause: (request) => holdBack.pause(request),
    resume: (request) => holdBack.resume(request),
    reload: () => reload(),
    coverage: (query) => catchup.coverage(query),
    replays: async () => ({ replays: catchup.replays() }),
    replay: async (window) => catchup.replay(window),
    beginBackup: () => backups.begin(),
    keepBackup: async ({ id }) => ({ kept: backups.keep(id) }),
    endBackup: async ({ id }) => ({ whole: await backups.end(id) }),
    forget: ({ person }) => forget(person),
    linkAccount: (account) => accounts.link(account),
    openConsole: async () => ({}),
    consoleSessions: async () => [],
    endConsoleSessions: async () => ({ ended: 0 }),
    unlinkAccount: async ({ id }) => ({ removed: await accounts.unlink(id) }),
  };
}

/** Creates the handlers that replace those of {@link controlHandlers} if the bot serves a console. */
export function consoleHandlers(
  served: ConsoleOperations,
): Pick<ControlHandlers, "openConsole" | "consoleSessions" | "endConsoleSessions"> {
  return {
    openConsole: (request) => served.invite(request),
    consoleSessions: async () => served.sessions.list(),
    endConsoleSessions: async ({ id }) => ({ ended: await served.sessions.end(id) }),
  };
}
