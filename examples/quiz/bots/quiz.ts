import {
  createBot,
  createComposer,
  defineState,
  type AnswerEvent,
  type Commanded,
} from "answerback";

const QUESTIONS = [
  { question: "Which planet is closest to the sun?", right: "mercury" },
  { question: "How many strings has a violin?", right: "4" },
  { question: "What is the capital of Norway?", right: "oslo" },
] as const;

/** Stored value of each person: number of games and right answers, and the points of the best game. */
const SCORE = defineState("quiz_score", { games: 0, right: 0, best: 0 });
/** Stored value of the account: the highest points of a game so far, and the person who reached them. */
const RECORD = defineState("quiz_record", { points: 0, holder: "nobody" });

/** Condition of an answer: during a game, `/score` and `help` go to their own handlers, and the question stays open. */
const NO_COMMAND = { not: { "message.text": { matches: "^(/score|help)\\b" } } };

/**
 * Asks one question after the other. An answer may come minutes later, in another process. `/quiz` in place of an
 * answer starts over.
 */
async function play(ctx: Commanded, round: number): Promise<void> {
  let points = 0;
  let verdict = "";
  for (const [index, { question, right }] of QUESTIONS.entries()) {
    const number = index + 1;
    const name = `round ${round}, question ${number}`;
    const answer = await ctx.ask(name, `${verdict}${number}. ${question}`, {
      timeout: "10m",
      where: NO_COMMAND,
    });
    if (answer === undefined) {
      await ctx.reply("Time is up. Write /quiz to play again.");
      return;
    }
    if (/^\/quiz\b/i.test(answer.text)) {
      await play(ctx, round + 1);
      return;
    }
    const isRight = says(answer, right);
    if (isRight) points += 1;
    verdict = isRight ? "Right! " : `No, it is ${right}. `;
  }
  await end(ctx, points, verdict);
}

async function end(ctx: Commanded, points: number, verdict: string): Promise<void> {
  const score = await ctx.state.update(SCORE, ({ games, right, best }) => ({
    games: games + 1,
    right: right + points,
    best: Math.max(best, points),
  }));
  const name = ctx.sender.name ?? "somebody";
  const record = await ctx.state.account.update(RECORD, (before) =>
    points > before.points ? { points, holder: name } : before,
  );
  await ctx.reply(
    `${verdict}${points} of ${QUESTIONS.length}. Your best: ${score.best}. The record: ${record.points}, by ${record.holder}.`,
  );
}

function says({ text }: AnswerEvent, right: string): boolean {
  // whole words: "14" is not "4"
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .includes(right);
}

const messages = createComposer()
  .command("/quiz", (ctx) => play(ctx, 1))
  .command("/score", async (ctx) => {
    const { games, right, best } = await ctx.state.get(SCORE);
    await ctx.reply(
      games === 0
        ? "You have no score yet: finish a game of /quiz."
        : `${right} right in ${games === 1 ? "one game" : `${games} games`}; your best is ${best}.`,
    );
  })
  .hears(["help", "quiz"], (ctx) => ctx.reply("Write /quiz to play, /score for your score."));

export default createBot("quiz")
  .on("dm.received", messages)
  .onError(async (error, ctx) => {
    console.error(`${ctx.sender.id} could not play`);
    await ctx.reply("Something went wrong. Please write /quiz again.");
    throw error;
  });
