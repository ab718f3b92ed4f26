import { expect, it } from "vitest";
import { folderPlace } from "../store/place.ts";
import { worldOfEach } from "./bot-world.ts";
import { type Life } from "./lives.ts";

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

const world = worldOfEach(folderPlace);
const { said } = world;

const begin = (colours: string, rules = COLOURS): Promise<Life> =>
  world.live({ rules, named: { "lists/colours.txt": colours } });

it("an open run uses the list as it was when it began, also after a restart", async () => {
  await (await begin("red\nblue")).hears("1", "200", "an order");
  await said(1);

  // the list of colours changes while the bot waits for the answer
  await (await begin("green")).hears("2", "200", "green?");
  expect(await said(2)).toEqual(["Which colour?", "We have no such colour."]);
  await world.bot.hears("3", "200", "then blue");
  expect((await said(3)).at(-1)).toBe("Noted.");

  await world.bot.hears("4", "200", "another order");
  await said(4);
  await world.bot.hears("5", "200", "blue");
  expect((await said(5)).slice(3)).toEqual(["Which colour?", "We have no such colour."]);
});

it("an open run continues when its rule is renamed", async () => {
  await (await begin("red")).hears("1", "200", "an order");
  await said(1);

  const renamed = COLOURS.replace("id: colour", "id: order-colour\n    formerly: [colour]");
  await (await begin("red", renamed)).hears("2", "200", "red");

  expect(await said(2)).toEqual(["Which colour?", "Noted."]);
});
