import { type BotContext, StepCutOffError } from "answerback";
import type { ModelMessage, ToolModelMessage } from "ai";
import { type Caller, type CallResult, isCharge, perform, type ShopCall } from "../tools/tools.ts";
import { ask, type Round } from "./ask.ts";
import { reserve, settle } from "./budget.ts";

/** Milliseconds for all requests between two waits, between which a handler may run 30 seconds. */
const TIMEOUT_MS = Number(process.env["ASSISTANT_TIMEOUT_MS"] ?? "20000");
/** Maximum requests to the model for one answer. Each request after the first contains results of tool calls. */
const MAX_ROUNDS = 5;
/** Maximum attempts of a request that the endpoint refuses with a status such as 429, and longest wait between them. */
const MAX_ATTEMPTS = 3;
const MAX_RETRY_MS = 60_000;

type Message = BotContext<"dm.received">;

/** A tool call of the model, and its result. */
export interface DoneCall {
  readonly call: ShopCall;
  readonly result: CallResult;
}

/** End of the model's work: a text to send, or the reason why a person takes over. */
export type Ending = { readonly done: readonly DoneCall[] } & (
  | { readonly text: string }
  | { readonly handOver: string }
);

/**
 * Has the model answer, with its tools.
 *
 * Each request and each tool call is a step, so a handler that runs again gets their recorded results. The number of
 * requests and their total time are limited.
 */
export async function converse(ctx: Message, turns: readonly ModelMessage[]): Promise<Ending> {
  const deadline = Date.now() + TIMEOUT_MS;
  const caller = { customer: ctx.sender.username?.toLowerCase(), eventKey: ctx.event.key };
  const messages = [...turns];
  const done: DoneCall[] = [];
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const said = await askWithinBudget(ctx, `${round}`, messages, deadline);
    if (typeof said === "string") return { handOver: said, done };
    if (said.finishReason === "length" || said.finishReason === "content-filter") {
      return { handOver: `the model's answer was cut: ${said.finishReason}`, done };
    }
    if (!said.wantsTools) {
      return said.text === ""
        ? { handOver: "the model's answer is empty", done }
        : { text: said.text, done };
    }
    const wish = said.calls.find((call) => call.toolName === "hand_over");
    if (wish !== undefined) return { handOver: `the model: ${wish.input.reason}`, done };
    const results = await Promise.all(
      said.calls.map((call, at) => performStep(ctx, `${round}.${at + 1}`, call, caller)),
    );
    done.push(...results);
    const unknown = results.find(({ result }) => result.kind === "unknown");
    if (unknown !== undefined) {
      return { handOver: `${nameOf(unknown.call)}: it may be done, or not`, done };
    }
    messages.push(...said.messages, ...answersTo(results));
  }
  return { handOver: `the model has no answer after ${MAX_ROUNDS} requests`, done };
}

type Said = Extract<Round, { kind: "said" }>;

/** Asks the model, with retries if its endpoint refuses. Returns a text, the reason, if a person has to take over. */
async function askWithinBudget(
  ctx: Message,
  round: string,
  messages: readonly ModelMessage[],
  deadline: number,
): Promise<Said | string> {
  for (let attempt = 1; ; attempt++) {
    const reserved = await reserve(ctx, messages);
    if (reserved === undefined) return "the bot's tokens of today are used up";
    const answer = await askOnce(ctx, `ask ${round}, attempt ${attempt}`, messages, deadline);
    if (answer.kind === "said") {
      if (answer.tokens !== undefined) await settle(ctx, reserved, answer.tokens);
      return answer;
    }
    if (answer.isFree) await settle(ctx, reserved, 0);
    ctx.log("no answer of the model", { reason: answer.reason });
    const { retryMs = Infinity } = answer;
    if (attempt === MAX_ATTEMPTS || retryMs > MAX_RETRY_MS) {
      return `no answer of the model: ${answer.reason}`;
    }
    await ctx.sleep(`after ask ${round}, attempt ${attempt}`, `${retryMs}ms`);
  }
}

/** Asks the model in a step that is done at most once, because an answer costs money. */
async function askOnce(
  ctx: Message,
  name: string,
  messages: readonly ModelMessage[],
  deadline: number,
): Promise<Round> {
  try {
    const timeoutMs = () => Math.max(1, deadline - Date.now());
    return await ctx.step(
      name,
      () => ask(messages, { signal: ctx.signal, timeoutMs: timeoutMs() }),
      { atMostOnce: true },
    );
  } catch (error) {
    if (!(error instanceof StepCutOffError)) throw error;
    return { kind: "failed", reason: "the process ended during the request", isFree: false };
  }
}

/** Runs a tool call in a step. After a crash, an interrupted look-up is repeated, and an interrupted refund is not. */
async function performStep(
  ctx: Message,
  at: string,
  call: ShopCall,
  caller: Caller,
): Promise<DoneCall> {
  try {
    const result = await ctx.step(`${call.toolName} ${at}`, () => perform(call, caller), {
      atMostOnce: isCharge(call),
    });
    return { call, result };
  } catch (error) {
    if (!(error instanceof StepCutOffError)) throw error;
    return { call, result: { kind: "unknown", reason: "the process ended meanwhile" } };
  }
}

/** Converts the results of tool calls to messages for the model. */
function answersTo(results: readonly DoneCall[]): readonly ToolModelMessage[] {
  if (results.length === 0) return [];
  const content = results.map(({ call, result }): ToolModelMessage["content"][number] => ({
    type: "tool-result",
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    output:
      result.kind === "done"
        ? { type: "json", value: result.value }
        : { type: "error-text", value: result.reason },
  }));
  return [{ role: "tool", content }];
}

function nameOf({ toolName, input }: ShopCall): string {
  return "order" in input ? `${toolName} ${input.order}` : toolName;
}
