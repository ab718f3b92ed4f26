import { defineBot } from "answerback";

/** Counts the words after `count` in a message, and thanks people who mention the bot in a post. */
export default defineBot({
  name: "counter",
  on: {
    "dm.received": async (ctx) => {
      const { text } = ctx.event.message;
      if (!/\bcount\b/i.test(text)) return;
      const words = text.replace(/^.*?\bcount\b/i, "").match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? [];
      const length = words.join(" ").length;
      ctx.log("counted", { words: words.length });
      await ctx.reply(`${quantity(words.length, "word")}, ${quantity(length, "character")}.`);
    },
    "post.mentioned": async (ctx) => {
      await ctx.reply(`Thank you for the mention, @${ctx.sender.username ?? "friend"}!`);
      await ctx.send({ type: "like", postId: ctx.event.post.id, to: ctx.sender.id });
    },
  },
});

function quantity(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
