import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { type PacedLoop, pacedLoop } from "../loop/paced-loop.ts";
import type { ReadinessPart } from "../readiness.ts";
import type { NewRuntimeEvent } from "../runtime-events.ts";
import type { Append, Source } from "../source.ts";
import type { CursorMemory } from "./cursor.ts";
import { ListReader } from "./list-reader.ts";
import { type ReadableChange, ReadableAccounts } from "./readable.ts";
import { POLLED_LISTS, type PolledEvent, type ReadingClient } from "./lists.ts";

/** Bot account, with the fields that polling needs. */
export interface PolledAccount {
  readonly id: string;
  readonly username: string;
  /** Reason why the account's tokens no longer work; absent while they work. */
  readonly revoked?: string;
  /** Time that identifies the account's link: it changes when the account was unlinked and is linked again. */
  readonly linkedSince?: number;
}

export interface PollingNeeds {
  readonly accounts: {
    list(): readonly PolledAccount[];
    subscribe(
      listener: (change: {
        readonly type: "linked" | "revoked" | "removed";
        readonly account: PolledAccount;
      }) => void,
    ): () => void;
  };
  /** Returns the account's client with its current tokens; undefined while no requests may be sent for the account. */
  readonly clientOf: (account: string) => ReadingClient | undefined;
  /**
   * Returns advice for the operator if an error shows that tokens have lost their permission level; undefined
   * otherwise.
   */
  readonly lostPermission: (error: unknown, username: string) => string | undefined;
  /** Stores the cursor of each list. */
  readonly memory: CursorMemory;
  readonly clock: Clock;
  readonly readiness: ReadinessPart;
  readonly publish: (event: NewRuntimeEvent) => void;
  readonly log: Log;
  /** Uniform draw in [0, 1). */
  readonly random: () => number;
}

/** Result of polling for each account: whether it can be read, or why it can't. */
export interface PollingStatus {
  /** Ids of the accounts whose messages have been read completely, and can still be read. */
  readonly read: ReadonlySet<string>;
  /** Reasons why an account's messages or mentions can't be read, by account id. */
  readonly refused: ReadonlyMap<string, string>;
}

export interface PollingSource extends Source<PollingStatus> {
  /** Resolves after the first attempt to read each account that is linked now. */
  settled(): Promise<void>;
  /** Calls `listener` with each account's current state, then with every change. Returns the function that unsubscribes. */
  onReadable(listener: (change: ReadableChange) => void): () => void;
}

/**
 * Polls the messages and mentions of each account, for plans without webhooks. Events go into the journal in the
 * webhook's form, oldest first. The cursor of a list moves only once its events are stored, so the next start misses
 * none.
 */
export function pollingSource(needs: PollingNeeds): PollingSource {
  return new Polling(needs);
}

class Polling implements PollingSource {
  readonly name = "polling";
  readonly #needs: PollingNeeds;
  readonly #polled = new Map<string, AccountPoll>();
  readonly #readable = new ReadableAccounts();
  #stopListening: readonly (() => void)[] = [];

  constructor(needs: PollingNeeds) {
    this.#needs = needs;
  }

  async start(append: Append): Promise<void> {
    const { accounts, clock } = this.#needs;
    const begin = (account: PolledAccount): void => {
      const poll = new AccountPoll(account, this.#needs, append, (change) => {
        if (change !== undefined) this.#readable.is(change);
        this.#report();
      });
      this.#polled.set(account.id, poll);
    };
    this.#stopListening = [
      accounts.subscribe(({ type, account }) => {
        const before = this.#polled.get(account.id);
        this.#polled.delete(account.id);
        this.#readable.forget(account.id);
        void before?.drop();
        if (type === "linked") begin(account);
        this.#report();
      }),
      clock.onJump(() => {
        for (const poll of this.#polled.values()) poll.hurry();
      }),
    ];
    for (const account of accounts.list()) if (account.revoked === undefined) begin(account);
    this.#report();
  }

  status(): PollingStatus {
    const all = [...this.#polled.values()];
    const refused = all.flatMap(({ account, trouble }) =>
      trouble === undefined ? [] : [[account.id, trouble] as const],
    );
    const read = all.filter(({ isRead }) => isRead).map(({ account }) => account.id);
    return { read: new Set(read), refused: new Map(refused) };
  }

  onReadable(listener: (change: ReadableChange) => void): () => void {
    return this.#readable.follow(listener);
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#polled.values()].map((poll) => poll.firstRead));
  }

  async stop(): Promise<void> {
    for (const stop of this.#stopListening) stop();
    await Promise.all([...this.#polled.values()].map((poll) => poll.stop()));
  }

  /**
   * Reports readiness: polling is ready while at least one account can be read. The status has the reasons why other
   * accounts can't be read.
   */
  #report(): void {
    const { readiness } = this.#needs;
    const { read, refused } = this.status();
    const [reason] = refused.values();
    if (read.size > 0 || this.#polled.size === 0) readiness.ready();
    else readiness.notReady(reason ?? "no account's messages have been read yet");
  }
}

class AccountPoll {
  readonly account: PolledAccount;
  readonly firstRead: Promise<void>;
  readonly #needs: PollingNeeds;
  readonly #append: Append;
  readonly #readers: readonly ListReader[];
  readonly #loop: PacedLoop;
  readonly #onChanged: (change: ReadableChange | undefined) => void;
  #isAsked = (): void => {};
  #isDropped = false;
  /** Time of the last complete read of the account's messages, by the platform's clock. */
  #readAt: number | undefined;
  /** Reason that was last reported for the account's unreadable lists; undefined while the account can be read. */
  #told: string | undefined;

  constructor(
    account: PolledAccount,
    needs: PollingNeeds,
    append: Append,
    onChanged: (change: ReadableChange | undefined) => void,
  ) {
    this.account = account;
    this.#needs = needs;
    this.#append = append;
    this.#onChanged = onChanged;
    const { id, linkedSince: link = 0 } = account;
    this.#readers = POLLED_LISTS.map(
      (list) => new ListReader({ ...needs, list, account: id, link }),
    );
    this.firstRead = new Promise((resolve) => (this.#isAsked = resolve));
    this.#loop = pacedLoop(() => this.#turn());
    this.#loop.wake();
  }

  /** Whether the account's messages have been read completely, and can still be read. */
  get isRead(): boolean {
    return this.#readAt !== undefined && this.#messages?.trouble === undefined;
  }

  get trouble(): string | undefined {
    const troubled = this.#readers.find(({ trouble }) => trouble !== undefined);
    if (troubled?.trouble === undefined) return undefined;
    const { reason, error, isOperators } = troubled.trouble;
    const lost = this.#needs.lostPermission(error, this.account.username);
    if (lost !== undefined) return `its ${troubled.name} can't be read: ${lost}`;
    const advice = isOperators
      ? "; link the account again, or check that the app's plan and permissions allow it"
      : "";
    return `its ${troubled.name} can't be read: ${reason}${advice}`;
  }

  hurry(): void {
    for (const reader of this.#readers) reader.hurry();
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    this.#isAsked();
    await this.#loop.stop();
  }

  /** Stops polling, and moves no cursor any more, because the cursors belong to the account's next poll. */
  async drop(): Promise<void> {
    this.#isDropped = true;
    await this.stop();
  }

  get #messages(): ListReader | undefined {
    return this.#readers.find(({ name }) => name === "messages");
  }

  async #turn(): Promise<number> {
    const due = this.#readers.filter((reader) => reader.waitMs() === 0);
    try {
      await this.#take(due);
    } catch (error) {
      // The cursor has not moved, so the same items are read again.
      this.#needs.log.error(
        { err: error, account: this.account.username },
        "events that were read could not be stored; they are read again",
      );
    }
    this.#tell();
    this.#isAsked();
    return Math.min(...this.#readers.map((reader) => reader.waitMs()));
  }

  /** Appends the events of both lists in chronological order: a person's messages and posts share a lane. */
  async #take(due: readonly ListReader[]): Promise<void> {
    const read = await Promise.all(
      due.map(async (reader) => ({ reader, events: await reader.read() })),
    );
    const events: PolledEvent[] = read.flatMap((one) => one.events).sort((a, b) => a.at - b.at);
    for (const { delivery } of events) await this.#append(delivery, JSON.stringify(delivery));
    for (const one of read) if (!this.#isDropped) await one.reader.keep(one.events);
    if (due.some(({ name, isRead }) => name === "messages" && isRead))
      this.#readAt = this.#needs.clock.now();
  }

  /** Reports once when the account can't be read any more, and once when it can be read again. */
  #tell(): void {
    const { log, publish, clock } = this.#needs;
    const { id, username } = this.account;
    const reason = this.trouble;
    this.#onChanged(this.#readableNow(reason));
    if (reason === this.#told) return;
    const account = { id, username };
    if (reason === undefined) {
      log.info({ account: username }, "the account can be read again");
      publish({ type: "link-restored", data: { account } });
    } else {
      const since = new Date(this.#readAt ?? clock.now()).toISOString();
      log.error({ account: username, reason, since }, "the account can't be read");
      publish({ type: "link-lost", data: { reason, since, account } });
    }
    this.#told = reason;
  }

  /** Returns whether the account can be read; undefined while that is unknown. */
  #readableNow(reason: string | undefined): ReadableChange | undefined {
    const { clock } = this.#needs;
    const since = this.#readAt ?? clock.now();
    const account = this.account.id;
    if (reason !== undefined) return { account, reachable: false, since, reason };
    return this.isRead ? { account, reachable: true, since } : undefined;
  }
}
