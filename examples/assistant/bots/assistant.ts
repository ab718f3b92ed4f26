import {
  type BotContext,
  createBot,
  defineState,
  PlatformError,
  StepCutOffError,
  UnreachableError,
} from "answerback";
import { type Turn, whatToSay } from "../model/chat-completions.ts";

/** Answers of one day to one person; the next question is a person's. */
const A_DAY = Number(process.env["ASSISTANT_ANSWERS_A_DAY"] ?? "20");
/** Limits of the conversation that the model gets: turns, and characters of each. */
const MAX_TURNS = 10;
const MAX_CHARACTERS = 1_000;

/** Answers of the day, by person. */
const USED = defineState("assistant_used", { day: "", answers: 0 });
/** Turns that the bot has seen, by conversation. */
const TURNS = defineState<Turn[]>("assistant_turns");

type Message = BotContext<"dm.received">;

export default createBot("assistant", { maxAge: "1h" }).on("dm.received", async (ctx) => {
  if (ctx.answered || ctx.text.trim() === "") return;
  const { answers } = await ctx.state.update(USED, (before) => ({
    day: dayOf(ctx.now),
    answers: before.day === dayOf(ctx.now) ? before.answers + 1 : 1,
  }));
  if (answers > A_DAY) return fetchPerson(ctx, `more than ${A_DAY} questions today`);

  const question = turn("user", ctx.text);
  const turns = [...(await before(ctx)), question].slice(-MAX_TURNS);
  try {
    const { text, isWhole } = await ctx.step("ask", () => whatToSay(turns, ctx.signal), {
      // An answer costs money: after a crash the model is not asked a second time.
      atMostOnce: true,
    });
    const [, unsure] = /^HAND OVER[:,.\s]*(.*)/is.exec(text) ?? [];
    if (unsure !== undefined) return await fetchPerson(ctx, `the model is not sure: ${unsure}`);
    if (!isWhole) return await fetchPerson(ctx, "the model's answer is too long");
    await ctx.state.conversation.set(TURNS, [...turns, turn("assistant", text)], { for: "1d" });
    await ctx.reply(text.slice(0, MAX_CHARACTERS));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    ctx.log("no answer of the model", { reason, cutOff: error instanceof StepCutOffError });
    await fetchPerson(ctx, `no answer of the model: ${reason}`);
  }
});

/** Returns the earlier turns: the stored ones, else those that the platform shows of the conversation. */
async function before(ctx: Message): Promise<readonly Turn[]> {
  const stored = await ctx.state.conversation.get(TURNS);
  if (stored !== undefined) return stored;
  try {
    const { data } = await ctx.client.dms.eventsWith(ctx.sender.id, {
      eventTypes: ["MessageCreate"],
      dmEventFields: ["sender_id", "text"],
      maxResults: MAX_TURNS,
    });
    return data
      .filter(({ id, text }) => text !== undefined && id !== ctx.event.message.id)
      .map(({ sender_id: by, text = "" }) =>
        turn(by === ctx.account.id ? "assistant" : "user", text),
      )
      .toReversed();
  } catch (error) {
    // A platform limit is no reason for silence: the model answers without the earlier turns.
    if (error instanceof PlatformError || error instanceof UnreachableError) return [];
    throw error;
  }
}

/** Hands the conversation over to a person. The bot is silent in it meanwhile. */
async function fetchPerson(ctx: Message, why: string): Promise<void> {
  await ctx.handOver(why, {
    queue: "support",
    evidence: { said: ctx.text },
    pauseBot: { for: "12h", until: "resolved" },
  });
  await ctx.reply("I'd better ask somebody. A person will write to you here.");
}

function turn(role: Turn["role"], text: string): Turn {
  return { role, content: text.slice(0, MAX_CHARACTERS) };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
