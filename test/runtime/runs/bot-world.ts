import { afterEach, beforeEach } from "vitest";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { type Found, when } from "../../support/when.ts";
import type { Place } from "../store/contract.ts";
import { type Life, type LifeNeeds, liveOn, type Said } from "./lives.ts";

/** Store, clock and platform, new for each test, and the bot that uses them. */
export interface BotWorld {
  readonly store: Store;
  readonly clock: HandClock;
  /** Messages that people have received, over all processes of the bot. */
  readonly platform: Said[];
  /** Running process of the bot. @throws if none runs. */
  readonly bot: Life;
  /** Starts a process of the bot, after the end of an earlier process. */
  readonly live: (over?: Partial<LifeNeeds>) => Promise<Life>;
  /** Ends the bot's process, reopens the store, and starts another process. */
  readonly restart: (over?: Partial<LifeNeeds>) => Promise<Life>;
  /** Sends pending outbox items until people have received `count` messages in all. Returns all messages' texts. */
  readonly said: (count: number) => Promise<string[]>;
  /** Sends pending outbox items until the rule runs of all events, in order, have these states. */
  readonly runsAre: (...statuses: readonly string[]) => Promise<true>;
  /** Sends pending outbox items until all events are decided and all rule runs have ended. */
  readonly rest: () => Promise<true>;
}

/**
 * Creates a world for each test of the calling file or group.
 *
 * @param makePlace Creates the place (such as a folder) in which the store is kept.
 * @param common Default options of all processes of the bot.
 */
export function worldOfEach(
  makePlace: () => Promise<Place>,
  common: Partial<LifeNeeds> = {},
): BotWorld {
  let place: Place;
  let store: Store;
  let clock: HandClock;
  let platform: Said[];
  let life: Life | undefined;

  beforeEach(async () => {
    place = await makePlace();
    store = await place.open();
    clock = handClock();
    platform = [];
  });
  afterEach(async () => {
    await life?.end();
    life = undefined;
    await store.close();
    await place.remove();
  });

  const live = async (over: Partial<LifeNeeds> = {}): Promise<Life> => {
    await life?.end();
    life = await liveOn({ rules: NO_RULES, ...common, store, clock, platform, ...over });
    return life;
  };
  /** Sends pending outbox items until `found` returns a value. */
  const until = <T extends Found>(
    probe: () => T | undefined | Promise<T | undefined>,
  ): Promise<T> =>
    when(async () => {
      await life?.sends();
      return probe();
    });
  return {
    get store() {
      return store;
    },
    get clock() {
      return clock;
    },
    get platform() {
      return platform;
    },
    get bot() {
      if (life === undefined) throw new Error("the bot does not live yet");
      return life;
    },
    live,
    async restart(over) {
      await life?.end();
      life = undefined;
      await store.close();
      store = await place.open();
      return live(over);
    },
    said: (count) =>
      until(() => (platform.length >= count ? platform.map(({ text }) => text) : undefined)),
    runsAre: (...statuses) =>
      until(async () => {
        const rows = await store.journal({ limit: 100 });
        const all = rows.toReversed().flatMap(({ runs }) => runs.map(({ status }) => status));
        return all.join() === statuses.join() || undefined;
      }),
    rest: () =>
      until(async () => {
        const { inbox, runs } = await store.stats();
        return inbox + runs.ready + runs.waiting === 0 || undefined;
      }),
  };
}

const NO_RULES = "version: 1\nrules: []\n";
