import { EventEmitter } from "eventemitter3";
import { RecentItems } from "../system/recent-items.ts";

/** What each type of runtime event carries. No text of a message and no secret is in one. */
export interface RuntimeEventTypes {
  /** An event is in the journal. */
  readonly "event-received": {
    readonly key: string;
    readonly account: string;
    readonly lane: string;
    readonly kind: string;
    readonly source: string;
  };
  /** What became of an event was committed; `retry`: it is decided again later. */
  readonly "event-decided": {
    readonly seq: number;
    readonly lane: string;
    readonly outcome: string;
    /** How many runs and items came of it. */
    readonly runs: number;
    readonly items: number;
  };
  /** A rule or bot handler ended. `owner`: `rule:<id>` or `bot:<name>`. */
  readonly "run-settled": {
    readonly id: string;
    readonly owner: string;
    readonly status: string;
    /** Set if the run failed because the operator dropped an item that the run waited for. */
    readonly dropped?: true;
  };
  /** An item was sent, failed or expired, or its outcome is unknown. */
  readonly "item-settled": {
    readonly id: number;
    readonly account: string;
    readonly lane: string;
    readonly status: string;
    /** The operator gave it up: its status is `failed`. */
    readonly dropped?: true;
  };
  /**
   * Answers to a person begin to be held back, since a limit is reached. `account`, `person`: user ids.
   * `fix`: the command that lets them go.
   */
  readonly "answers-held": Because & {
    readonly account: string;
    readonly person: string;
    readonly lane: string;
    readonly fix: string;
  };
  /** A person is asked to take over. `run`: the rule's run, as `answerback trace` shows it. */
  readonly escalated: {
    readonly run: string;
    readonly account: string;
    readonly lane: string;
    readonly queue: string;
    readonly priority: string;
    /** Whether rules and bots are silent meanwhile. */
    readonly pausesBot: boolean;
  };
  /** A person has said that it is done. */
  readonly "escalation-resolved": {
    readonly id: number;
    readonly account: string;
    readonly lane: string;
    readonly queue: string;
  };
  /**
   * Other rules are in force; what is under way goes on as it began. `revision` names them. `count`: how many there are;
   * `changed`: how many are new, others or gone. Where none is, their order is another.
   */
  readonly "rules-changed": {
    readonly revision: string;
    readonly count: number;
    readonly changed: number;
  };
  /** Events of an account are kept and nothing more; of all, where none is named. */
  readonly paused: { readonly account?: string };
  readonly resumed: { readonly account?: string };
  /** Another instance with another store answers for an account. `holdsBack`: this one sends nothing for it. */
  readonly "other-instance": Because & { readonly account: string; readonly holdsBack: boolean };
  /** Nothing is sent to an endpoint, by one account or by all, until what `reason` says is over. */
  readonly "outbox-stalled": Stalled;
  readonly "outbox-resumed": Stalled;
  /** An account was linked, or got new tokens. */
  readonly "account-linked": Person;
  /** An account's owner took the authorization away. */
  readonly "account-revoked": Person & Because;
  readonly "account-removed": Person;
  /** The platform has the webhook. */
  readonly "link-registered": { readonly webhook: string; readonly valid: boolean };
  /** The platform does not have the webhook. */
  readonly "link-failed": Because;
  /**
   * Events that came before come no more: an account's, where one is named, else nobody's. `since`: the
   * last time at which they surely came, as ISO 8601.
   */
  readonly "link-lost": Because & { readonly since: string; readonly account?: Person };
  /** They come again: an account's, where one is named, else everybody's. */
  readonly "link-restored": { readonly account?: Person };
  /** An account's events come. */
  readonly "link-subscribed": Person;
  /** An account's events come no longer. */
  readonly "link-unsubscribed": Person;
  /** The platform does not let an account's events come. */
  readonly "link-refused": Person & Because;
  /** Events of an account may have been missed; they are being caught up. */
  readonly "gap-found": Stretch;
  /** Nothing of it is left to catch up. */
  readonly "gap-closed": Stretch & {
    /** How many events came in late. */
    readonly events: number;
  };
  /** Events of an account that can't be caught up, or only its messages and mentions. */
  readonly "gap-lost": Stretch & Because & { readonly state: "backfilled" | "lost" };
}

/** A stretch of an account's time. */
interface Stretch {
  /** User id. */
  readonly account: string;
  /** ISO 8601. */
  readonly from: string;
  /** ISO 8601, not included. */
  readonly to: string;
}

interface Person {
  readonly id: string;
  /** The handle, without `@`. */
  readonly username: string;
}

interface Stalled extends Because {
  /** Whose requests; absent: everybody's. */
  readonly account?: string;
  /** Endpoint template, such as `POST /2/posts`. */
  readonly endpoint: string;
  /** What to do about it, where that is known. */
  readonly fix?: string;
}

interface Because {
  readonly reason: string;
}

/** `event-received`, `item-settled` and the others. */
export type RuntimeEventType = keyof RuntimeEventTypes;

/** Something that happened in a runtime, for people and tools that watch it. */
export type RuntimeEvent = {
  [Type in RuntimeEventType]: {
    /** Rises by one with every event of this runtime, from 1. */
    readonly seq: number;
    /** By the platform's clock, as ISO 8601 with milliseconds. */
    readonly at: string;
    readonly type: Type;
    readonly data: RuntimeEventTypes[Type];
  };
}[RuntimeEventType];

/** A runtime event of one type. */
export type RuntimeEventOf<T extends RuntimeEventType> = Extract<
  RuntimeEvent,
  { readonly type: T }
>;

/** The latest events of a runtime, and those to come. */
export interface RuntimeEventFeed {
  /** Calls `listener` for every event of `type` from now on. Returns what ends that. */
  on<T extends RuntimeEventType>(type: T, listener: (event: RuntimeEventOf<T>) => void): () => void;
  /**
   * Calls `listener` for every event, beginning with those after `after` that are still kept.
   *
   * @param after Number of the last event that was seen; without it only new ones come.
   * @returns What ends it.
   */
  subscribe(listener: (event: RuntimeEvent) => void, after?: number): () => void;
}

/** A runtime event that has no number and no time yet. */
export type NewRuntimeEvent = {
  [Type in RuntimeEventType]: { readonly type: Type; readonly data: RuntimeEventTypes[Type] };
}[RuntimeEventType];

/** The feed as the runtime writes it. Nothing in the runtime depends on who listens. */
export interface RuntimeEvents extends RuntimeEventFeed {
  readonly publish: (event: NewRuntimeEvent) => void;
}

export interface RuntimeEventNeeds {
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
  /** Called with what a listener threw. */
  readonly onListenerError: (error: unknown) => void;
  /** How many of the latest events are kept for listeners that come back. 1,000 unless said. */
  readonly capacity?: number;
}

type Listener = (event: RuntimeEvent) => void;

/** A feed without any event yet. */
export function runtimeEvents(needs: RuntimeEventNeeds): RuntimeEvents {
  const recent = new RecentItems<RuntimeEvent>(needs.capacity ?? 1_000);
  const emitter = new EventEmitter<{ event: Listener }>();

  const listen = (listener: Listener, backlog: readonly RuntimeEvent[]) => {
    const guarded = (event: RuntimeEvent): void => {
      try {
        listener(event);
      } catch (error) {
        needs.onListenerError(error);
      }
    };
    for (const event of backlog) guarded(event);
    emitter.on("event", guarded);
    return () => void emitter.off("event", guarded);
  };
  return {
    publish(event) {
      const at = new Date(needs.now()).toISOString();
      emitter.emit(
        "event",
        recent.add((seq) => ({ seq, at, ...event })),
      );
    },
    on: (type, listener) =>
      listen((event) => {
        if (isOf(type, event)) listener(event);
      }, []),
    subscribe: (listener, after) =>
      listen(listener, after === undefined ? [] : recent.after(after)),
  };
}

function isOf<T extends RuntimeEventType>(
  type: T,
  event: RuntimeEvent,
): event is RuntimeEventOf<T> {
  return event.type === type;
}

/** Publishes what becomes of accounts. Returns what ends that. */
export function publishAccountChanges(
  events: Pick<RuntimeEvents, "publish">,
  subscribe: (listener: (change: AccountChange) => void) => () => void,
): () => void {
  return subscribe(({ type, account: { id, username, revoked = "" } }) => {
    if (type === "linked") events.publish({ type: "account-linked", data: { id, username } });
    else if (type === "removed")
      events.publish({ type: "account-removed", data: { id, username } });
    else events.publish({ type: "account-revoked", data: { id, username, reason: revoked } });
  });
}

interface AccountChange {
  readonly type: "linked" | "revoked" | "removed";
  readonly account: { readonly id: string; readonly username: string; readonly revoked?: string };
}
