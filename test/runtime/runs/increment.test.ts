import { expect, it } from "vitest";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { worldOfEach } from "./bot-world.ts";

const RULES = `version: 1
rules:
  - id: total
    triggers: [dm.received]
    actions:
      - id: total
        increment: state.account.total
      - reply_dm: "\${{ steps.total.result }}"
`;

const world = worldOfEach(modelPlace);

it("an increment loses nothing when people in many lanes write at once", async () => {
  const people = Array.from({ length: 12 }, (_, n) => String(200 + n));
  await world.live({ rules: RULES });
  await Promise.all(people.map((from, n) => world.bot.hears(String(n), from, "hello")));
  await world.said(people.length);

  expect(world.platform.map(({ text }) => Number(text)).toSorted((a, b) => a - b)).toEqual(
    people.map((_, n) => n + 1),
  );
});
