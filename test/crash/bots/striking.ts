import { setTimeout as delay } from "node:timers/promises";
import { defineBot } from "answerback";
import { STRIKE_VARIABLE, trigger } from "../trigger.ts";

const pass = trigger(process.env[STRIKE_VARIABLE]);
const WORK_MS = 20;

/** Answers messages that begin with "bot" after a little work, during which the process may be killed. */
export default defineBot({
  name: "striking",
  on: {
    "dm.received": async (ctx) => {
      const { text } = ctx.event.message;
      if (!text.startsWith("bot ")) return;
      await delay(WORK_MS);
      pass("effect:under-way");
      await ctx.reply(`${text} done`);
    },
  },
});
