import { afterEach, beforeEach, expect, it } from "vitest";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";
import type { Place } from "../store/contract.ts";
import { folderPlace } from "../store/place.ts";
import { type Life, liveOn, type Said } from "./lives.ts";

const RULES = `version: 1
rules:
  - id: size
    triggers: [dm.received]
    actions:
      - id: size
        ask: {text: "Which size?", within: 15m, on_timeout: [{reply_dm: Too late.}, stop]}
      - reply_dm: Thanks.
`;
const HOUR = 60 * 60_000;

let place: Place;
let store: Store;
let life: Life;
beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
});
afterEach(async () => {
  await life.end();
  await store.close();
  await place.remove();
});

it.each([
  { was: "an hour ahead", behind: HOUR, last: "Thanks." },
  { was: "right", behind: 0, last: "Too late." },
])(
  "a question times out only once the platform's time is known; the clock was $was",
  async ({ behind, last }) => {
    const hand = handClock();
    let isKnown = true;
    const platform: Said[] = [];
    const clock = { ...hand, isKnown: () => isKnown };
    life = await liveOn({ store, clock, rules: RULES, platform });
    const says = (text: string): Promise<true> =>
      when(async () => {
        life.wake();
        await life.sends();
        return platform.at(-1)?.text === text || undefined;
      });
    await life.hears("1", "200", "a shirt");
    await says("Which size?");
    // The time limit begins once the question is sent.
    await when(async () => (await store.stats()).inbox === 0 || undefined);
    isKnown = false;
    hand.advance(HOUR);
    life.wake();
    for (let turn = 0; turn < 20; turn += 1) await store.stats();
    expect((await store.stats()).runs.waiting).toBe(1);
    hand.advance(-behind);
    isKnown = true;
    life.wake();
    if (behind > 0) await life.hears("2", "200", "small");
    await says(last);

    expect(platform.map(({ text }) => text)).toEqual(["Which size?", last]);
  },
);
