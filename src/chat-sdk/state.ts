import { ChatError, type Lock, type StateAdapter } from "chat";
import type { BotState } from "../bots/durable/durable-calls.ts";
import { MAX_STATE_CHARACTERS } from "../bots/durable/state-calls.ts";
import { contentHash } from "../system/content-hash.ts";
import { currentTurn } from "./turn.ts";

/**
 * Creates state of the Chat SDK in the runtime's store: subscriptions, `thread.setState` and other keys.
 *
 * The changes are stored in one transaction with the event's posts, so they survive `kill -9`. Optimistic locking: if
 * two events change the same value, the later one's handlers run again. Values have up to 16,378 characters as JSON;
 * a list with a `maxLength` drops its oldest values to fit. State is separate for each account and bot.
 */
export function createAnswerbackState(): StateAdapter {
  return new AnswerbackState();
}

export class AnswerbackState implements StateAdapter {
  async connect(): Promise<void> {}

  async disconnect(): Promise<void> {}

  async subscribe(threadId: string): Promise<void> {
    await this.set(subscriptionTo(threadId), true);
  }

  async unsubscribe(threadId: string): Promise<void> {
    await this.delete(subscriptionTo(threadId));
  }

  async isSubscribed(threadId: string): Promise<boolean> {
    return (await this.get(subscriptionTo(threadId))) !== null;
  }

  async get<T = unknown>(key: string): Promise<T | null> {
    const { state, name } = locateState(key);
    const stored = await state.get(name);
    // Earlier versions stored the value as JSON text.
    const value: unknown = typeof stored === "string" ? JSON.parse(stored) : Object(stored).v;
    // `set` has stored the value under this key with type T
    return (value ?? null) as T | null;
  }

  async set(key: string, value: unknown, ttlMs?: number): Promise<void> {
    const { state, name } = locateState(key);
    const text = written(value);
    if (text.length > MAX_STATE_CHARACTERS) {
      const most = MAX_STATE_CHARACTERS - AROUND;
      throw new TypeError(
        `the state "${key}" has ${text.length - AROUND} characters as JSON, and ${most} are the most: keep what is needed later`,
      );
    }
    await state.set(name, JSON.parse(text), within(ttlMs));
  }

  async setIfNotExists(key: string, value: unknown, ttlMs?: number): Promise<boolean> {
    // the journal deduplicates messages. If this state did so too, a message interrupted by a crash would be dropped
    if (key.startsWith("dedupe:")) return true;
    if ((await this.get(key)) !== null) return false;
    await this.set(key, value, ttlMs);
    return true;
  }

  async delete(key: string): Promise<void> {
    const { state, name } = locateState(key);
    await state.delete(name);
  }

  async appendToList(
    key: string,
    value: unknown,
    { maxLength = Number.POSITIVE_INFINITY, ttlMs }: { maxLength?: number; ttlMs?: number } = {},
  ): Promise<void> {
    const values = [...(await this.getList(key)), value];
    const list = values.slice(Math.max(0, values.length - maxLength));
    // a list that keeps the newest values anyway keeps those that fit into one value of the state
    const keepsNewest = maxLength !== Infinity;
    if (keepsNewest)
      while (list.length > 1 && written(list).length > MAX_STATE_CHARACTERS) list.shift();
    await this.set(key, list, ttlMs);
  }

  async getList<T = unknown>(key: string): Promise<T[]> {
    return (await this.get<T[]>(key)) ?? [];
  }

  // Locks are always granted. The runtime processes the events of one person in order across processes. Concurrent
  // events of two people in one thread are separated by the optimistic locking of state.
  async acquireLock(threadId: string): Promise<Lock> {
    return { threadId, token: "granted", expiresAt: Number.MAX_SAFE_INTEGER };
  }

  async extendLock(): Promise<boolean> {
    return true;
  }

  async releaseLock(): Promise<void> {}

  async forceReleaseLock(): Promise<void> {}

  enqueue(): Promise<never> {
    return Promise.reject(
      new ChatError(
        'every message is handed over by itself here, in its order: leave out "concurrency", or let it be "queue" or "concurrent"',
        "NO_QUEUE",
      ),
    );
  }

  async dequeue(): Promise<null> {
    return null;
  }

  async queueDepth(): Promise<number> {
    return 0;
  }
}

function subscriptionTo(threadId: string): string {
  return `subscribed:${threadId}`;
}

/** Locates the value of a Chat SDK key: in the account's state, under a hash of the bot's name and the key. */
function locateState(key: string): { readonly state: BotState; readonly name: string } {
  const { bot, ctx } = currentTurn(`state ("${key}")`);
  return {
    state: ctx.state.account,
    name: `chat_sdk_${contentHash(JSON.stringify([bot, key]), "hex").slice(0, 40)}`,
  };
}

/**
 * Returns the stored form of a value, as JSON. The value is in an object, because a stored text is the form of earlier
 * versions.
 */
function written(value: unknown): string {
  return JSON.stringify({ v: value ?? null });
}

/** Number of characters that {@link written} adds to the value. */
const AROUND = '{"v":}'.length;

/** Converts a time to live. 0 means no expiry, as in the state adapters of the Chat SDK. */
function within(ttlMs: number | undefined): { readonly for: string } | undefined {
  return ttlMs === undefined || ttlMs === 0 ? undefined : { for: `${Math.ceil(ttlMs / 1_000)}s` };
}
