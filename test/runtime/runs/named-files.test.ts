import { afterEach, beforeEach, expect, it } from "vitest";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";
import type { Place } from "../store/contract.ts";
import { folderPlace } from "../store/place.ts";
import { type Life, liveOn, type Said } from "./lives.ts";

const COLOURS = `version: 1
lists: {colours: {file: ../lists/colours.txt, match: word}}
rules:
  - id: colour
    triggers: [dm.received]
    conditions: [{text: {contains_word: order}}]
    actions:
      - ask:
          text: Which colour?
          expect: {in_list: colours}
          retries: 1
          reprompt: We have no such colour.
          within: 1h
          on_timeout: [stop]
      - reply_dm: Noted.
`;

let place: Place;
let store: Store;
let clock: HandClock;
let life: Life | undefined;
let platform: Said[];

beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
  clock = handClock();
  platform = [];
});
afterEach(async () => {
  await life?.end();
  await store.close();
  await place.remove();
});

async function begin(colours: string, rules = COLOURS): Promise<Life> {
  await life?.end();
  const named = { "lists/colours.txt": colours };
  life = await liveOn({ store, clock, rules, named, platform });
  return life;
}

/** What @ana got, once there are so many texts. */
async function said(count: number): Promise<readonly string[]> {
  return when(async () => {
    await life?.sends();
    const texts = platform.map(({ text }) => text);
    return texts.length >= count ? texts : undefined;
  });
}

it("an open run goes by the list as it was when it began, also after a restart", async () => {
  await (await begin("red\nblue")).hears("1", "200", "an order");
  await said(1);

  // the list changes while she thinks
  await (await begin("green")).hears("2", "200", "green?");
  expect(await said(2)).toEqual(["Which colour?", "We have no such colour."]);
  await life?.hears("3", "200", "then blue");
  expect((await said(3)).at(-1)).toBe("Noted.");

  await life?.hears("4", "200", "another order");
  await said(4);
  await life?.hears("5", "200", "blue");
  expect((await said(5)).slice(3)).toEqual(["Which colour?", "We have no such colour."]);
});

it("an open run goes on when its rule has another name", async () => {
  await (await begin("red")).hears("1", "200", "an order");
  await said(1);

  const renamed = COLOURS.replace("id: colour", "id: order-colour\n    formerly: [colour]");
  await (await begin("red", renamed)).hears("2", "200", "red");

  expect(await said(2)).toEqual(["Which colour?", "Noted."]);
});
