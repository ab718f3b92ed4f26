import { afterEach, describe, expect, it } from "vitest";
import { LONG_HANG_MS } from "../support/hang-limit.ts";
import { heldConversations, type HeldConversations } from "../support/held-conversations.ts";
import { when } from "../support/when.ts";

const CONVERSATIONS = 500;
const ROUNDS = 2;

let bot: HeldConversations;
afterEach(() => bot.close());

describe("500 conversations interleaved, one of them stuck in a step", () => {
  it(
    "answers all other conversations meanwhile, each in order",
    async () => {
      bot = await heldConversations(CONVERSATIONS);
      const { conversations, runtime } = bot;
      const [stuck, ...others] = conversations;
      if (stuck === undefined) throw new Error("there are no conversations");
      let settled = 0;
      runtime.events.on("item-settled", () => (settled += 1));

      await bot.say(stuck, "hold first");
      for (let round = 1; round <= ROUNDS; round += 1) {
        for (const conversation of conversations) await bot.say(conversation, `message ${round}`);
      }
      await when(() => (settled >= others.length * ROUNDS ? true : undefined));
      const meanwhile = await bot.answers();

      expect(meanwhile.get(stuck.lane)).toBe(undefined);
      const inOrder = Array.from({ length: ROUNDS }, (_, n) => `re message ${n + 1}`);
      const wrong = others.filter(({ lane }) => meanwhile.get(lane)?.join() !== inOrder.join());
      expect(wrong.map(({ lane }) => [lane, meanwhile.get(lane)])).toEqual([]);

      await bot.release("first");
      await when(() => (settled >= conversations.length * ROUNDS + 1 ? true : undefined));
      const afterwards = await bot.answers();

      expect(afterwards.get(stuck.lane)).toEqual(["re hold first", ...inOrder]);
    },
    LONG_HANG_MS,
  );
});
