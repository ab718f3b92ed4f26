import { beforeEach, expect, it } from "vitest";
import { botSuspensions, type BotSuspensions } from "../../../src/bots/watching/bot-suspensions.ts";

const HOUR = 3_600_000;

let suspensions: BotSuspensions;
let ending: AbortController;
beforeEach(() => {
  suspensions = botSuspensions({ free: 0, firstMs: HOUR, now: () => 0 });
  ending = new AbortController();
});

it("a call that waits for a suspended bot goes on once the bot has been reloaded", async () => {
  suspensions.lost("a");
  const passed: string[] = [];
  const pass = async (bot: string, call: string): Promise<void> => {
    await suspensions.pass(bot, ending.signal);
    passed.push(call);
  };
  const calls = [pass("a", "first"), pass("a", "second")];
  await pass("b", "of another bot");
  expect(passed).toEqual(["of another bot"]);
  suspensions.forgive("a");
  await Promise.all(calls);
  expect(passed).toEqual(["of another bot", "first", "second"]);
});

it("the reload of one bot does not end the suspension of another", async () => {
  suspensions.lost("a");
  suspensions.lost("b");
  const waits = suspensions.pass("a", ending.signal);
  suspensions.forgive("b");
  expect(suspensions.remainingMs("a")).toBe(5 * 60_000);
  ending.abort(new Error("stopped"));

  await expect(waits).rejects.toThrow("stopped");
});
