/** Values that bots may return, store and post. No code of this file runs: the compiler is the test. */
import { type BotContext, createBot, defineBot } from "answerback";
import { UsageError } from "answerback/client";

type Ctx = BotContext<"dm.received">;
const bot = (handler: (ctx: Ctx) => unknown) =>
  defineBot({ name: "a", on: { "dm.received": handler } });

// case: a handler may return the outcome of an action, the result of a step or a condition
defineBot({
  name: "a",
  on: {
    "dm.received": (ctx) => ctx.sendNow({ type: "reply_dm", to: ctx.sender.id, text: "x" }),
    "post.mentioned": (ctx) => ctx.step("x", () => 1),
    "user.followed": (ctx) => ctx.text === "hi" && ctx.reply("y"),
  },
});
createBot("b").on("dm.received", (ctx) => ctx.text === "hi" && ctx.reply("y"));

// case: a handler that returns nothing
defineBot({ name: "a", on: { "dm.received": async (ctx) => await ctx.reply("y") } });

// case: a value is deleted, not set to null
bot((ctx) => ctx.state.set("n", { list: [null] }));
bot((ctx) => ctx.state.delete("n"));
// @ts-expect-error null can't be stored
bot((ctx) => ctx.state.set("n", null));

// case: a post has media or a poll
const poll = { options: ["a", "b"], durationMinutes: 5 };
bot((ctx) => ctx.post({ text: "x", poll, replySettings: "following" }));
bot((ctx) => ctx.post({ text: "x", media: "/a.png", replySettings: "following" }));
bot((ctx) => ctx.post({ text: "x" }));
// @ts-expect-error not both
bot((ctx) => ctx.post({ text: "x", media: "/a.png", poll }));

// case: the entry of the client has the class of its errors
export const isUsage = (error: unknown): boolean => error instanceof UsageError;
