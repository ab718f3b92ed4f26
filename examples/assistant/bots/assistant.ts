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
/** So much of the conversation the model is told. */
const MOST_TURNS = 10;
const MOST_CHARACTERS = 1_000;

/** Of the person. */
const USED = defineState("assistant_used", { day: "", answers: 0 });
/** Of the conversation, as far as the bot had a part in it. */
const TURNS = defineState<Turn[]>("assistant_turns");

type Message = BotContext<"dm.received">;

export default createBot("assistant", { maxAge: "1h" }).on("dm.received", async (ctx) => {
  if (ctx.answered || ctx.text.trim() === "") return;
  const { answers } = await ctx.state.update(USED, (before) => ({
    day: dayOf(ctx.now),
    answers: before.day === dayOf(ctx.now) ? before.answers + 1 : 1,
  }));
  if (answers > A_DAY) return fetchPerson(ctx, `more than ${A_DAY} questions today`);

  const asked = turn("user", ctx.text);
  const turns = [...(await before(ctx)), asked].slice(-MOST_TURNS);
  try {
    const { text, isWhole } = await ctx.step("ask", () => whatToSay(turns, ctx.signal), {
      // it costs money: an answer that a crash took is not paid for twice
      atMostOnce: true,
    });
    const [, unsure] = /^HAND OVER[:,.\s]*(.*)/is.exec(text) ?? [];
    if (unsure !== undefined) return await fetchPerson(ctx, `the model is not sure: ${unsure}`);
    if (!isWhole) return await fetchPerson(ctx, "the model's answer is too long");
    await ctx.state.conversation.set(TURNS, [...turns, turn("assistant", text)], { for: "1d" });
    await ctx.reply(text.slice(0, MOST_CHARACTERS));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    ctx.log("no answer of the model", { reason, cutOff: error instanceof StepCutOffError });
    await fetchPerson(ctx, `no answer of the model: ${reason}`);
  }
});

/** What was said before: what is kept, else what the platform shows of the conversation. */
async function before(ctx: Message): Promise<readonly Turn[]> {
  const kept = await ctx.state.conversation.get(TURNS);
  if (kept !== undefined) return kept;
  try {
    const { data } = await ctx.client.dms.eventsWith(ctx.sender.id, {
      eventTypes: ["MessageCreate"],
      dmEventFields: ["sender_id", "text"],
      maxResults: MOST_TURNS,
    });
    return data
      .filter(({ id, text }) => text !== undefined && id !== ctx.event.message.id)
      .map(({ sender_id: by, text = "" }) =>
        turn(by === ctx.account.id ? "assistant" : "user", text),
      )
      .toReversed();
  } catch (error) {
    // it is asked without: a limit of the platform is no reason not to answer
    if (error instanceof PlatformError || error instanceof UnreachableError) return [];
    throw error;
  }
}

/** A person goes on, and the bot is silent for whom they write to. */
async function fetchPerson(ctx: Message, why: string): Promise<void> {
  await ctx.handOver(why, {
    queue: "support",
    evidence: { said: ctx.text },
    pauseBot: { for: "12h", until: "resolved" },
  });
  await ctx.reply("I'd better ask somebody. A person will write to you here.");
}

function turn(role: Turn["role"], text: string): Turn {
  return { role, content: text.slice(0, MOST_CHARACTERS) };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
