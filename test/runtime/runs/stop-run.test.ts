import { describe, expect, it } from "vitest";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { folderPlace } from "../store/place.ts";
import { worldOfEach } from "./bot-world.ts";

const RULES = `version: 1
rules:
  - id: form
    triggers: [dm.received]
    conditions: [{ message.text: order }]
    actions:
      - ask: { text: Your name?, within: 1d }
      - reply_dm: Thank you.
  - id: cancel
    triggers: [dm.received]
    interrupts: true
    conditions: [{ message.text: { contains: forget it } }]
    actions:
      - id: over
        stop_run: form
      - reply_dm: "Ended: \${{ steps.over.result }}"
`;

describe.each([
  ["in the model", modelPlace],
  ["in a folder", folderPlace],
])("a step that ends runs %s", (_, place) => {
  const world = worldOfEach(place, { rules: RULES });

  it("finds runs that an earlier process started", async () => {
    await world.live();
    await world.bot.hears("1", "200", "order");
    await world.said(1);
    await world.restart();
    await world.bot.hears("2", "200", "please forget it");
    await world.said(2);
    await world.bot.hears("3", "200", "Ann");
    await world.rest();

    expect(world.platform.map(({ text }) => text)).toEqual(["Your name?", "Ended: 1"]);
  });

  it("does not end runs of other people", async () => {
    await world.live();
    await world.bot.hears("1", "200", "order");
    await world.bot.hears("2", "300", "order");
    await world.said(2);
    await world.bot.hears("3", "200", "forget it");
    await world.said(3);
    await world.bot.hears("4", "300", "Ben");
    await world.said(4);

    expect(world.platform.map(({ to, text }) => `${to}: ${text}`).toSorted()).toEqual([
      "200: Ended: 1",
      "200: Your name?",
      "300: Thank you.",
      "300: Your name?",
    ]);
  });
});
