import type { News } from "../presence.ts";
import type { ListeningClient, PostgresDatabase } from "./database.ts";

export interface NotificationsNeeds {
  readonly db: Pick<PostgresDatabase, "listen" | "query">;
  /** Store id, which is part of the channel's name: several stores may share a database. */
  readonly store: string;
  /** Random id of this process. */
  readonly process: string;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Called when another process has stored work that this process may have to do. */
  readonly onNews: (news: News) => void;
}

/**
 * Notifies the processes of a store of new work, by `LISTEN` and `NOTIFY`.
 *
 * Notifications only make polls faster, and may get lost. A pooler in transaction mode does not deliver them at all. So
 * each heartbeat of a listening process notifies the process itself: {@link Notifications.isLive} is whether that
 * notification has come back lately.
 */
export class Notifications {
  readonly #needs: NotificationsNeeds;
  readonly #channel: string;
  readonly #echoChannel: string;
  #client: ListeningClient | undefined;
  #isOpening = false;
  #isClosed = false;
  #triedAt = -Infinity;
  #openedAt = -Infinity;
  #echoedAt = -Infinity;
  #sentAt = -Infinity;
  #sending: NodeJS.Timeout | undefined;
  /** News of the next notification. */
  #news: News = "inputs";

  constructor(needs: NotificationsNeeds) {
    this.#needs = needs;
    this.#channel = `answerback-${needs.store}`;
    this.#echoChannel = `answerback-${needs.process}`;
  }

  /** Channel on which the next heartbeat has to notify this process; undefined while this process does not listen. */
  get echoChannel(): string | undefined {
    return this.#client === undefined ? undefined : this.#echoChannel;
  }

  /** Whether notifications arrive. */
  isLive(): boolean {
    return this.#client !== undefined && this.#needs.now() - this.#echoedAt < LIVE_MS;
  }

  /** Starts to listen, and keeps listening. To be called with each heartbeat. Does not wait for the connection. */
  follow(): void {
    const now = this.#needs.now();
    const silentMs = now - Math.max(this.#openedAt, this.#echoedAt);
    if (this.#client !== undefined && silentMs > SILENT_MS) {
      // A pooler accepts `LISTEN`, and delivers nothing.
      void this.#client.close();
      this.#client = undefined;
    }
    if (this.#client !== undefined || this.#isOpening || this.#isClosed) return;
    if (now - this.#triedAt < RETRY_MS) return;
    this.#triedAt = now;
    this.#isOpening = true;
    void this.#open().finally(() => (this.#isOpening = false));
  }

  async #open(): Promise<void> {
    let client: ListeningClient | undefined;
    let hasEnded = false;
    try {
      client = await this.#needs.db.listen([this.#channel, this.#echoChannel], {
        onNotification: (channel, payload) => {
          if (channel === this.#echoChannel) this.#echoedAt = this.#needs.now();
          else this.#needs.onNews(payload === "inputs" ? payload : "anything");
        },
        onEnd: () => {
          // The connection may end before it is open.
          hasEnded = true;
          if (this.#client === client) this.#client = undefined;
        },
      });
      if (this.#isClosed) await client.close();
      else if (!hasEnded) [this.#client, this.#openedAt] = [client, this.#needs.now()];
    } catch {
      // Polls find all work, and a later heartbeat tries again.
    }
  }

  /** Notifies the other processes now, or soon if the last notification was recent. */
  send(news: News): void {
    if (news === "anything") this.#news = news;
    if (this.#sending !== undefined || this.#isClosed) return;
    const waitMs = Math.max(0, this.#sentAt + SEND_EVERY_MS - this.#needs.now());
    this.#sending = setTimeout(() => {
      this.#sending = undefined;
      this.#sentAt = this.#needs.now();
      // Without the sync of the disk: a crash loses at most the notification.
      this.#needs.db.query(NOTIFY, [this.#channel, this.#news]).catch(() => {});
      this.#news = "inputs";
    }, waitMs);
    this.#sending.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#sending);
    await this.#client?.close();
  }
}

const NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";
/** Minimum milliseconds between two notifications. All commits with a notification wait for each other. */
const SEND_EVERY_MS = 100;
/** Milliseconds since the last returned notification after which notifications count as lost: two heartbeats and a delay. */
const LIVE_MS = 2_500;
/** Milliseconds without a returned notification after which the connection is closed. */
const SILENT_MS = 10_000;
/** Minimum milliseconds between two attempts to listen. */
const RETRY_MS = 60_000;
