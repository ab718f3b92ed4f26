import { labTest, type ProjectTemplate } from "./project-template.ts";

const BOT = `import { defineBot } from "answerback";

/** Guesses: the bot thinks of a number, and remembers how often each person has won. */
export default defineBot({
  name: "guess",
  on: {
    "dm.received": async (ctx) => {
      if (!/\\bplay\\b/i.test(ctx.event.message.text)) return;
      const secret = await ctx.step("secret", () => 1 + Math.floor(Math.random() * 3));
      const guess = await ctx.ask("guess", "I think of 1, 2 or 3. Which?", { timeout: "10m" });
      if (guess === undefined) return;
      if (Number(/\\d+/.exec(guess.message.text)?.[0]) !== secret) {
        await ctx.reply(\`It was \${secret}. Write "play" for another round.\`);
        return;
      }
      const won = Number((await ctx.state.get("won")) ?? 0) + 1;
      await ctx.state.set("won", won);
      await ctx.reply(\`Right! You have won \${won} time\${won === 1 ? "" : "s"}.\`);
    },
  },
});
`;

const LAB_TESTS = `test("a game is played to its end, over a restart", async () => {
  const ana = await lab.person("ana");
  assert.deepEqual(await ana.says("play"), ["I think of 1, 2 or 3. Which?"]);
  await lab.restart({ kill: true });
  const [answer] = await ana.says("2");
  assert.match(answer ?? "", /^(Right! You have won 1 time|It was [13])/);
});

test("who does not guess in ten minutes has left the game", async () => {
  const ben = await lab.person("ben");
  await ben.says("play");
  await lab.advance("11m");
  assert.deepEqual(await ben.says("2"), []);
});
`;

/** A guessing game in TypeScript. Its questions, random numbers and scores survive a restart of the process. */
export const TYPESCRIPT: ProjectTemplate = {
  files: { "bots/guess.ts": BOT, "test/bot.test.ts": labTest(LAB_TESTS) },
  suggestions: [
    ['send @ana "play"', "a question"],
    ['send @ana "2"', "right or wrong"],
  ],
};
