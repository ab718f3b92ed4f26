import { type BotContext, defineBot } from "answerback";

const ORDER_NUMBER = /#?\b([A-Z]\d{5})\b/i;

/** Stand-in for the shop's own service: the state of each order, by its number. */
const ORDERS: Readonly<Record<string, string>> = { A12345: "shipped, expected Friday" };

/**
 * A conversation over several messages: the bot asks for the order number, asks again after a wrong one, looks the
 * order up and waits for thanks.
 *
 * The bot may restart during a wait. The handler then runs again from its start, and each earlier call returns its
 * recorded result.
 */
export default defineBot({
  name: "order-status",
  on: {
    "dm.received": async (ctx) => {
      if (!/\bwhere.{0,20}\border\b|\border status\b/i.test(ctx.event.message.text)) return;
      const number = await orderNumber(ctx);
      if (number === undefined) return;
      const state = await ctx.step("lookup", () => ORDERS[number] ?? null);
      await ctx.state.set("last_order", number, { for: "30d" });
      if (state === null) {
        await ctx.reply(`I can't find ${number}. Could you check it?`);
        return;
      }
      await ctx.reply(`${number} is ${state}.`);
      const thanks = await ctx.waitFor("thanks", "dm.received", {
        timeout: "10m",
        where: { "message.text": { contains_word: ["thanks", "thank you"] } },
      });
      if (thanks !== undefined) await ctx.reply("You're welcome!");
    },
  },
});

const QUESTIONS = [
  "Sure. What's your order number? (for example #A12345)",
  "Hmm, that doesn't look like an order number. It starts with a letter, like A12345.",
  "Once more, please: a letter and five digits.",
];

/** Asks up to three times. Returns undefined if no answer came in time, or a person takes over. */
async function orderNumber(ctx: BotContext<"dm.received">): Promise<string | undefined> {
  for (const [attempt, question] of QUESTIONS.entries()) {
    const answer = await ctx.ask(`number ${attempt}`, question, { timeout: "15m" });
    if (answer === undefined) {
      await ctx.reply("I'll be here when you find it. Just write 'order status' again.");
      return undefined;
    }
    const [, number] = ORDER_NUMBER.exec(answer.message.text) ?? [];
    if (number !== undefined) return number.toUpperCase();
  }
  await ctx.handOver("three answers and no order number", { queue: "support" });
  await ctx.reply("A person will read this.");
  return undefined;
}
