import {
  type BotContext,
  createBot,
  defineState,
  PlatformError,
  UnreachableError,
} from "answerback";
import { countAnswer } from "../model/budget.ts";
import { converse, type DoneCall } from "../model/converse.ts";

/** Limits of the earlier conversation that the model gets: number of messages, characters of each, JSON of all. */
const MAX_TURNS = 10;
const MAX_CHARACTERS = 1_000;
const MAX_STORED_CHARACTERS = 16_000;

/** Earlier message of the person (`user`) or the bot (`assistant`), which the model gets as context. */
type Turn = { readonly role: "user" | "assistant"; readonly content: string };
/** Stored value of a conversation: its latest messages. */
const TURNS = defineState<readonly Turn[]>("assistant_turns");

type Message = BotContext<"dm.received">;

export default createBot("assistant", { maxAge: "1h" }).on("dm.received", async (ctx) => {
  if (ctx.answered || ctx.text.trim() === "") return;
  if (!(await countAnswer(ctx))) return handOver(ctx, "all answers of today are used up", []);
  const earlier = await earlierTurns(ctx);
  const question = turn("user", ctx.text);
  const ending = await converse(ctx, [...earlier, question]);
  if ("handOver" in ending) return handOver(ctx, ending.handOver, ending.done);
  const spoken = [question, turn("assistant", ending.text)];
  const remember = (before: readonly Turn[] = earlier) => fitting([...before, ...spoken]);
  await ctx.state.conversation.update(TURNS, remember, { for: "1d" });
  await ctx.reply(ending.text);
});

/** Returns the conversation's earlier messages: the stored ones, else the latest ones that the platform returns. */
async function earlierTurns(ctx: Message): Promise<readonly Turn[]> {
  const stored = await ctx.state.conversation.get(TURNS);
  if (stored !== undefined) return stored;
  try {
    const { data } = await ctx.client.dms.eventsWith(ctx.sender.id, {
      eventTypes: ["MessageCreate"],
      dmEventFields: ["sender_id", "text"],
      maxResults: MAX_TURNS,
    });
    return fitting(
      data
        .filter(({ id, text }) => text !== undefined && id !== ctx.event.message.id)
        .map(({ sender_id: by, text = "" }) =>
          turn(by === ctx.account.id ? "assistant" : "user", text),
        )
        .toReversed(),
    );
  } catch (error) {
    // A platform limit is no reason for silence: the model answers without the earlier turns.
    if (error instanceof PlatformError || error instanceof UnreachableError) return [];
    throw error;
  }
}

/** Hands the conversation over to a person. The bot does not answer in this conversation until that is resolved. */
async function handOver(ctx: Message, why: string, done: readonly DoneCall[]): Promise<void> {
  ctx.log("handed over", { why });
  await ctx.handOver(why, {
    queue: "support",
    priority: done.some(({ result }) => result.kind === "unknown") ? "high" : "normal",
    evidence: {
      said: beginningOf(ctx.text),
      done: done.map(({ call: { toolName, input }, result }) => ({ toolName, input, result })),
    },
    pauseBot: { for: "12h", until: "resolved" },
  });
  const refunds = done.flatMap(({ call, result }) =>
    call.toolName === "refund_order" && result.kind === "done" ? [call.input.order] : [],
  );
  const news = refunds.map((order) => `Order ${order} is refunded. `).join("");
  await ctx.reply(`${news}I'd better ask somebody. A person will write to you here.`);
}

function turn(role: Turn["role"], text: string): Turn {
  return { role, content: beginningOf(text) };
}

/** Cuts a text without leaving half an emoji at its end: endpoints of models refuse a request with such a half. */
function beginningOf(text: string): string {
  return text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
}

/** Returns the latest messages, as many as fit into a stored value. */
function fitting(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.slice(-MAX_TURNS);
  while (JSON.stringify(last).length > MAX_STORED_CHARACTERS) last.shift();
  return last;
}
