import { defineBot } from "answerback";

/** Rolls dice: "roll 2d6" asks for two dice with six sides. */
export default defineBot({
  name: "dice",
  on: {
    "dm.received": async (ctx) => {
      const wanted = /\broll(?:\s+(\d{1,2}))?(?:\s*d\s*(\d{1,3}))?/i.exec(ctx.event.message.text);
      if (wanted === null) return;
      const count = Number(wanted[1] ?? 1);
      const sides = Number(wanted[2] ?? 6);
      if (count < 1 || sides < 2) {
        await ctx.reply("I roll 1 to 99 dice of 2 to 999 sides, for example: roll 2d6");
        return;
      }
      const rolls = throwDice(ctx.event.message.id, count, sides);
      const sum = rolls.reduce((total, roll) => total + roll, 0);
      await ctx.reply(
        count === 1 ? `You rolled ${sum}.` : `You rolled ${rolls.join(" + ")} = ${sum}.`,
      );
    },
  },
});

/** Computed from the message's id, so a handler that runs again after a crash gets the same numbers. */
function throwDice(seed: string, count: number, sides: number): number[] {
  let state = 0;
  for (let i = 0; i < seed.length; i++) {
    state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193);
  }
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return ((state >>> 8) % sides) + 1;
  });
}
