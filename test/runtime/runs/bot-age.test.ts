import { describe, expect, it } from "vitest";
import type { LoadedBot } from "../../../src/bots/messages.ts";
import { triggersFor } from "../../../src/runtime/runs/bot-run.ts";
import { messageReceived } from "../../support/events.ts";

const HOUR = 3_600_000;
const bot: LoadedBot = { name: "greeter", file: "greeter.ts", triggers: ["dm.received"] };
const event = messageReceived({ text: "hi" });
const after = (ms: number): number => event.at + ms;

describe("the maximum age of events for a bot", () => {
  it.each([
    { own: {}, age: 24 * HOUR, calls: true, why: "a message's own, to the hour" },
    { own: {}, age: 24 * HOUR + 1, calls: false, why: "a message's own, past it" },
    { own: { maxAgeMs: HOUR }, age: HOUR + 1, calls: false, why: "the bot's" },
    { own: { maxAgeMs: 48 * HOUR }, age: 47 * HOUR, calls: true, why: "the bot's, longer" },
    { own: { maxAgeMs: "none" as const }, age: 9_999 * HOUR, calls: true, why: "none" },
  ])("is $why", ({ own, age, calls }) => {
    const { triggers } = triggersFor({ ...bot, ...own }, event, after(age));

    expect(triggers).toEqual(calls ? ["dm.received"] : []);
  });

  it("is shown with the event if it is exceeded", () => {
    expect(triggersFor(bot, event, after(30 * HOUR)).tooOld).toEqual({
      bot: "greeter",
      outcome: "skipped",
      reason: "too-old",
      clause: { path: "maxAge", wanted: "at most 86400 s old", actual: 108_000 },
    });
    expect(triggersFor({ ...bot, triggers: ["post.mentioned"] }, event, after(30 * HOUR))).toEqual({
      triggers: [],
    });
  });
});
