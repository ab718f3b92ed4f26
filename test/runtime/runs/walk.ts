import { expect } from "vitest";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import { handClock } from "../../support/hand-clock.ts";
import type { Place } from "../store/contract.ts";
import { type Life, type LifeNeeds, liveOn, type Said } from "./lives.ts";

/** Messages of people to a bot, and their expected outcome, which is the same wherever the process ends. */
export interface Story extends Pick<LifeNeeds, "call" | "request" | "ask" | "bots" | "handle"> {
  /** Text of a rule file; by default there are no rules. */
  readonly rules?: string;
  /** Messages in order. Each is sent after the bot has replied to all earlier ones. */
  readonly script: readonly (string | Line)[];
  /** Expected texts of the bot. */
  readonly texts: readonly string[];
  /** Expected final states of the runs, in the order of the messages that started them. */
  readonly runs: readonly string[];
  /** Number of hand-overs to a person; by default it is not checked. */
  readonly escalations?: number;
  /** Keys of user state that are checked at the end; by default none. */
  readonly state?: readonly string[];
  /** Milliseconds by which the clock moves in each round; 0 by default. */
  readonly tickMs?: number;
}

/** Message of another person, or at another time. */
interface Line {
  readonly from?: string;
  readonly text: string;
  /** Number of the bot's texts that must come before the message. */
  readonly after?: number;
}

/** Accepts the error with which the store refuses calls of a dead process. */
function ended(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
}

const NO_RULES = "version: 1\nrules: []\n";

/** Maximum number of polls of a conversation; beyond it, the conversation is stuck. */
const MAX_ROUNDS = 20_000;

/** Outcome of a conversation. */
export interface Told {
  /** Number of durable writes of all processes. */
  readonly writeCount: number;
  readonly texts: readonly string[];
  /** Number of different outbox items behind these texts; less than the number of texts if an item was sent twice. */
  readonly keys: number;
  readonly runs: readonly string[];
  readonly escalations?: number;
  /** Values of user state, by key. */
  readonly state?: Readonly<Record<string, string>>;
}

/** Plays the conversation to its end. The bot's process dies after `writes` writes, and another process continues. */
export async function tell(story: Story, place: Place, writes: number): Promise<Told> {
  const { rules = NO_RULES, tickMs = 0, call, request, ask, bots, handle } = story;
  const platform: Said[] = [];
  const clock = handClock();
  let writeCount = 0;
  let isDead = false;
  let store = await place.open();
  const living = (most: number): Promise<Life> =>
    liveOn({
      store,
      clock,
      rules,
      platform,
      writes: most,
      onWrite: () => (writeCount += 1),
      ...(call && { call }),
      ...(request && { request }),
      ...(ask && { ask }),
      ...(bots && { bots }),
      ...(handle && { handle }),
    });
  let bot = await living(writes);
  void bot.died.then(() => (isDead = true));
  const lines = story.script.map((line, index) => ({
    from: "200",
    after: index,
    ...(typeof line === "string" ? { text: line } : line),
  }));
  let heard = 0;
  for (let looks = 0; looks < MAX_ROUNDS; looks += 1) {
    if (isDead) {
      isDead = false;
      await bot.end();
      await store.close();
      store = await place.open();
      bot = await living(Infinity);
    }
    const next = lines[heard];
    const { runs, inbox, items } = await store.stats();
    const open = runs.waiting + runs.ready + inbox + items.pending + items.sending;
    if (next === undefined && open === 0) break;
    if (next !== undefined && platform.length >= next.after) {
      try {
        await bot.hears(String(heard + 1), next.from, next.text);
        heard += 1;
      } catch (error) {
        ended(error);
      }
    }
    await bot.sends().catch(ended);
    if (tickMs > 0) clock.advance(tickMs);
    bot.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const rows = await store.journal({ limit: 100 });
  const escalations = (await store.escalations({ limit: 100 })).length;
  const state = [...(await store.load(story.state ?? []))].map(([key, { value }]) => [key, value]);
  await bot.end();
  await store.close();
  return {
    writeCount,
    texts: platform.map(({ text }) => text),
    keys: new Set(platform.map(({ key }) => key)).size,
    runs: rows.toReversed().flatMap(({ runs }) => runs.map(({ status }) => status)),
    ...(story.escalations !== undefined && { escalations }),
    ...(story.state && { state: Object.fromEntries(state) }),
  };
}

/**
 * Plays a conversation once for each number of writes after which the process ends. The outcome must be the same, and
 * each text is sent once.
 *
 * @param every Tests each `every`-th number of writes.
 * @returns Number of writes of the conversation without a crash.
 */
export async function walk(
  story: Story,
  open: () => Promise<Place>,
  every: number,
): Promise<number> {
  const { texts, runs, escalations } = story;
  const tried = async (writes: number) => {
    const here = await open();
    const end = await tell(story, here, writes);
    await here.remove();
    return end;
  };
  const wanted = {
    texts,
    keys: texts.length,
    runs,
    ...(escalations !== undefined && { escalations }),
  };
  const whole = await tried(Infinity);
  expect(whole).toMatchObject(wanted);
  for (let writes = 1; writes <= whole.writeCount; writes += every) {
    const { writeCount: _kept, ...end } = await tried(writes);
    expect({ writes, ...end }).toEqual({ writes, ...wanted });
  }
  return whole.writeCount;
}
