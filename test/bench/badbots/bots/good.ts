import { defineBot } from "answerback";

/** A bot as it should be. */
export default defineBot({
  name: "good",
  on: {
    "dm.received": async (ctx) => {
      if (ctx.event.message.text.startsWith("Hello")) await ctx.reply("We open at nine.");
    },
  },
});
