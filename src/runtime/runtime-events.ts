import { EventEmitter } from "eventemitter3";
import { RecentItems } from "../system/recent-items.ts";

/** Events about the way from a received event to its answer. */
interface WorkEvents {
  /** An event was appended to the journal. */
  readonly "event-received": {
    readonly key: string;
    readonly account: string;
    readonly lane: string;
    readonly kind: string;
    readonly source: string;
  };
  /** The outcome of an event was stored. `outcome: "retry"`: the event will be decided again later. */
  readonly "event-decided": {
    readonly seq: number;
    readonly lane: string;
    readonly outcome: string;
    /** Numbers of runs (`runs`) and outbox items (`items`) that the decision created. */
    readonly runs: number;
    readonly items: number;
  };
  /** A run of a rule or bot handler ended. `owner`: `rule:<id>` or `bot:<name>`. */
  readonly "run-settled": {
    readonly id: string;
    readonly owner: string;
    readonly status: string;
    /** Whether the run failed because the operator dropped an item that the run waited for. */
    readonly dropped?: true;
  };
  /** An item was sent, failed or expired, or its outcome is unknown. */
  readonly "item-settled": {
    readonly id: number;
    readonly account: string;
    readonly lane: string;
    readonly status: string;
    /** Whether the operator dropped the item: its status is `failed`. */
    readonly dropped?: true;
  };
  /**
   * An answer limit is reached: answers to a person are held back from now on. `account`, `person`: user ids. `fix`:
   * the command that releases the answers.
   */
  readonly "answers-held": Because & {
    readonly account: string;
    readonly person: string;
    readonly lane: string;
    readonly fix: string;
  };
  /** A rule hands a conversation over to a person. `run`: the rule's run, as `answerback trace` shows it. */
  readonly escalated: {
    readonly run: string;
    readonly account: string;
    readonly lane: string;
    readonly queue: string;
    readonly priority: string;
    /** Whether rules and bots are silent until the hand-over is resolved. */
    readonly pausesBot: boolean;
  };
  /** A person has marked a hand-over as resolved. */
  readonly "escalation-resolved": {
    readonly id: number;
    readonly account: string;
    readonly lane: string;
    readonly queue: string;
  };
}

/** Events about what the runtime does now: its rules, pauses and endpoints. */
interface StateEvents {
  /**
   * Edited rules became active; current runs continue with their old version. `revision`: hash of the new ruleset.
   * `count`: number of rules. `changed`: number of new, changed and removed rules; if it is 0, only the order of the
   * rules differs.
   */
  readonly "rules-changed": {
    readonly revision: string;
    readonly count: number;
    readonly changed: number;
  };
  /** `account` was paused, or all accounts if it is absent: their events are stored, but not answered. */
  readonly paused: { readonly account?: string };
  readonly resumed: { readonly account?: string };
  /** Another instance with another store answers for an account. `holdsBack`: this instance sends nothing for the account. */
  readonly "other-instance": Because & { readonly account: string; readonly holdsBack: boolean };
  /** Sending to an endpoint has stopped, for one account or for all, until the problem in `reason` is over. */
  readonly "outbox-stalled": Stalled;
  /** The problem is over: a request succeeded, or the account was linked again, revoked or removed. */
  readonly "outbox-resumed": Stalled;
}

/** Events about the bot's accounts. */
interface AccountEvents {
  /** An account was linked, or received new tokens. */
  readonly "account-linked": Person;
  /** An account's owner revoked the authorization. */
  readonly "account-revoked": Person & Because;
  readonly "account-removed": Person;
}

/** Events about the webhook and the subscriptions of accounts. */
interface LinkEvents {
  /** The webhook is registered with the platform. */
  readonly "link-registered": { readonly webhook: string; readonly valid: boolean };
  /** Registering the webhook with the platform failed. */
  readonly "link-failed": Because;
  /**
   * Events no longer arrive: for `account`, or for all accounts if it is absent. `since`: the last time at which they surely
   * arrived, as ISO 8601.
   */
  readonly "link-lost": Because & { readonly since: string; readonly account?: Person };
  /** Events arrive again: for `account`, or for all accounts if it is absent. */
  readonly "link-restored": { readonly account?: Person };
  /** The platform now delivers an account's events. */
  readonly "link-subscribed": Person;
  /** The platform no longer delivers an account's events. */
  readonly "link-unsubscribed": Person;
  /** The platform refused the subscription of an account. */
  readonly "link-refused": Person & Because;
}

/** Events about periods with possibly missed events. */
interface GapEvents {
  /** Events of an account may have been missed in this period; catching up with them has begun. */
  readonly "gap-found": Stretch;
  /** All events of a period with possibly missed events are fetched: nothing is left to catch up. */
  readonly "gap-closed": Stretch & {
    /** Number of events that were fetched afterwards. */
    readonly events: number;
  };
  /** Events of an account can't be recovered. `lost`: no event was; `backfilled`: only messages and mentions were. */
  readonly "gap-lost": Stretch & Because & { readonly state: "backfilled" | "lost" };
}

/** Data of each runtime event, by the event's type. No event contains the text of a message, or a secret. */
export interface RuntimeEventTypes
  extends WorkEvents, StateEvents, AccountEvents, LinkEvents, GapEvents {}

/** Period of time in which an account's events may be missing. */
interface Stretch {
  /** User id of the account. */
  readonly account: string;
  /** Beginning of the period in ISO 8601. */
  readonly from: string;
  /** End of the period in ISO 8601, exclusive. */
  readonly to: string;
}

interface Person {
  readonly id: string;
  /** Handle of the account, without `@`. */
  readonly username: string;
}

interface Stalled extends Because {
  /** User id of the account whose requests have stopped; absent: the requests of all accounts. */
  readonly account?: string;
  /** Endpoint template, such as `POST /2/posts`. */
  readonly endpoint: string;
  /** Command or advice that makes sending possible again, if known. */
  readonly fix?: string;
}

interface Because {
  readonly reason: string;
}

export type RuntimeEventType = keyof RuntimeEventTypes;

/** Event in a runtime, for people and tools that monitor it. */
export type RuntimeEvent = {
  [Type in RuntimeEventType]: {
    /** Sequence number of the event in this runtime, from 1. */
    readonly seq: number;
    /** Time of the event in ISO 8601 with milliseconds, by the platform's clock. */
    readonly at: string;
    readonly type: Type;
    readonly data: RuntimeEventTypes[Type];
  };
}[RuntimeEventType];

/** Runtime event of type `T`. */
export type RuntimeEventOf<T extends RuntimeEventType> = Extract<
  RuntimeEvent,
  { readonly type: T }
>;

/** Latest events of a runtime in memory, with a subscription to new ones. */
export interface RuntimeEventFeed {
  /**
   * Calls `listener` for every new event of `type`. An error of the listener, also an async one, is logged. Returns the
   * function that unsubscribes.
   */
  on<T extends RuntimeEventType>(type: T, listener: (event: RuntimeEventOf<T>) => void): () => void;
  /**
   * Calls `listener` for every new event, and before that for the events in memory that follow `after`.
   *
   * @param after Number (`seq`) of the last event that the listener has seen; absent: only new events.
   * @returns The function that unsubscribes.
   */
  subscribe(listener: (event: RuntimeEvent) => void, after?: number): () => void;
}

/** Runtime event before it gets its number and time. */
export type NewRuntimeEvent = {
  [Type in RuntimeEventType]: { readonly type: Type; readonly data: RuntimeEventTypes[Type] };
}[RuntimeEventType];

/** Feed to which the runtime publishes. An error of a listener does not affect the runtime. */
export interface RuntimeEvents extends RuntimeEventFeed {
  readonly publish: (event: NewRuntimeEvent) => void;
}

export interface RuntimeEventNeeds {
  /** Returns the current time in milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
  /** Called with an error that a listener threw. */
  readonly onListenerError: (error: unknown) => void;
  /** Number of latest events that stay in memory for listeners that reconnect; by default 1,000. */
  readonly capacity?: number;
}

type Listener = (event: RuntimeEvent) => void;

/** Creates an empty feed. */
export function runtimeEvents(needs: RuntimeEventNeeds): RuntimeEvents {
  const recent = new RecentItems<RuntimeEvent>(needs.capacity ?? 1_000);
  const emitter = new EventEmitter<{ event: Listener }>();

  const listen = (listener: Listener, backlog: readonly RuntimeEvent[]) => {
    const guarded = (event: RuntimeEvent): void => {
      try {
        // TypeScript accepts an async listener, too. An unhandled rejection would end the process.
        const returned: unknown = listener(event);
        if (returned instanceof Promise) returned.catch(needs.onListenerError);
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
      // returns what an async listener returns
      listen((event) => (isOf(type, event) ? listener(event) : undefined), []),
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

/** Publishes changes of accounts as runtime events. Returns the function that unsubscribes. */
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
