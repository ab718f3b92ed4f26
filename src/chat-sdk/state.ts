import { ChatError, type Lock, type StateAdapter } from "chat";
import type { BotState } from "../bots/durable/durable-calls.ts";
import { contentHash } from "../system/content-hash.ts";
import { currentTurn } from "./turn.ts";

/**
 * State of the Chat SDK in the runtime's store: subscriptions, `thread.setState` and what else is kept under a key.
 *
 * It is read and written with the event at work, in one transaction with what is posted, so it is there after `kill -9`;
 * where two events change the same value, the later one's handlers are run again. Values have 16,384 characters as
 * JSON at most. It belongs to the account and to the bot.
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
    const { state, name } = kept(key);
    const text = await state.get(name);
    // what is under a key is what was set under it
    return typeof text === "string" ? (JSON.parse(text) as T) : null;
  }

  async set(key: string, value: unknown, ttlMs?: number): Promise<void> {
    const { state, name } = kept(key);
    await state.set(name, written(value), within(ttlMs));
  }

  async setIfNotExists(key: string, value: unknown, ttlMs?: number): Promise<boolean> {
    // the journal has each message once, for good: to remember it a second time would lose it after a crash
    if (key.startsWith("dedupe:")) return true;
    if ((await this.get(key)) !== null) return false;
    await this.set(key, value, ttlMs);
    return true;
  }

  async delete(key: string): Promise<void> {
    const { state, name } = kept(key);
    await state.delete(name);
  }

  async appendToList(
    key: string,
    value: unknown,
    { maxLength = Number.POSITIVE_INFINITY, ttlMs }: { maxLength?: number; ttlMs?: number } = {},
  ): Promise<void> {
    const list = [...(await this.getList(key)), value];
    await this.set(key, list.slice(Math.max(0, list.length - maxLength)), ttlMs);
  }

  async getList<T = unknown>(key: string): Promise<T[]> {
    return (await this.get<T[]>(key)) ?? [];
  }

  // The runtime hands over the events of one person one after the other, over all processes; what two
  // people write in one thread is kept apart by the state that both read. So a lock is nobody's to wait for, and
  // never ends.
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

/** Where a key of the Chat SDK is kept: in the account's state, under a name that says whose it is. */
function kept(key: string): { readonly state: BotState; readonly name: string } {
  const { bot, ctx } = currentTurn(`state ("${key}")`);
  return {
    state: ctx.state.account,
    name: `chat_sdk_${contentHash(JSON.stringify([bot, key]), "hex").slice(0, 40)}`,
  };
}

function written(value: unknown): string {
  return JSON.stringify(value ?? null);
}

function within(ttlMs: number | undefined): { readonly for: string } | undefined {
  return ttlMs === undefined ? undefined : { for: `${Math.ceil(ttlMs / 1_000)}s` };
}
