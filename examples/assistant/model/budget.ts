import { type BotContext, defineState } from "answerback";
import type { ModelMessage } from "ai";
import { INSTRUCTIONS, MAX_TOKENS } from "./ask.ts";

const {
  ASSISTANT_ANSWERS_A_DAY: answersADay = "20",
  ASSISTANT_TOKENS_A_DAY: tokensADay = "200000",
} = process.env;

/** Stored value of each person: the number of answers on the day. */
const USED = defineState("assistant_used", { day: "", answers: 0 });
/**
 * Stored value of the account: the number of tokens on the day, for all people together. `fits` is the answer to the
 * latest request for a reservation.
 */
const SPENT = defineState("assistant_spent", { day: "", tokens: 0, fits: true });

type Message = BotContext<"dm.received">;

/** Counts an answer to the person. Returns false if the person has used up the answers of the day. */
export async function countAnswer(ctx: Message): Promise<boolean> {
  const day = dayOf(ctx.now);
  const { answers } = await ctx.state.update(USED, (before) => ({
    day,
    answers: before.day === day ? before.answers + 1 : 1,
  }));
  return answers <= Number(answersADay);
}

/** Tokens that a request may cost, taken from the day's budget before it is sent. */
export interface Reservation {
  readonly day: string;
  readonly tokens: number;
}

/**
 * Reserves the tokens of a request before it is sent, so that a request counts even if a crash interrupts it.
 *
 * @returns undefined if the budget of the day has no room for it.
 */
export async function reserve(
  ctx: Message,
  messages: readonly ModelMessage[],
): Promise<Reservation | undefined> {
  const day = dayOf(ctx.now);
  // A token has about four characters. The estimate uses two, because other scripts and the tools' schemas need more.
  const input = Math.ceil((INSTRUCTIONS.length + JSON.stringify(messages).length) / 2);
  const tokens = input + MAX_TOKENS;
  const { fits } = await ctx.state.account.update(SPENT, (before) => {
    const used = before.day === day ? before.tokens : 0;
    const isRoom = used + tokens <= Number(tokensADay);
    return { day, tokens: isRoom ? used + tokens : used, fits: isRoom };
  });
  return fits ? { day, tokens } : undefined;
}

/** Replaces a reservation by the tokens that the request has cost. */
export async function settle(ctx: Message, reserved: Reservation, cost: number): Promise<void> {
  await ctx.state.account.update(SPENT, (before) =>
    before.day === reserved.day
      ? { ...before, tokens: before.tokens - reserved.tokens + cost }
      : before,
  );
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
