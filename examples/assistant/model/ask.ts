import { readFileSync } from "node:fs";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, type FinishReason, type ModelMessage, streamText } from "ai";
import { type ShopCall, TOOLS } from "../tools/tools.ts";

const {
  ASSISTANT_URL: baseURL = "http://127.0.0.1:11434/v1",
  ASSISTANT_KEY: apiKey,
  ASSISTANT_MODEL: model = "llama3.2",
  ASSISTANT_MAX_TOKENS: maxTokens = "300",
  ASSISTANT_STALL_MS: stallMs = "10000",
} = process.env;

/** Maximum tokens of one answer. It limits the answer's cost. */
export const MAX_TOKENS = Number(maxTokens);
export const INSTRUCTIONS = readFileSync(new URL("../instructions.md", import.meta.url), "utf8");

/**
 * Model to use. For another provider, install its package and change this value: `anthropic("claude-…")`,
 * `mistral("…")`.
 */
const MODEL = createOpenAICompatible({
  name: "assistant",
  baseURL,
  // ollama needs no key
  ...(apiKey !== undefined && { apiKey }),
  // asks the endpoint to count the tokens at the end of the stream
  includeUsage: true,
}).chatModel(model);

/** Outcome of a request to the model: plain data, so the record of the run can store it. */
export type Round =
  | {
      readonly kind: "said";
      readonly text: string;
      readonly calls: readonly ShopCall[];
      /** Whether the model called any tool, also a call that does not fit the tool's schema. */
      readonly wantsTools: boolean;
      readonly finishReason: FinishReason;
      /** Messages to add to the next request: the answer, and errors of calls that do not fit their tool's schema. */
      readonly messages: readonly ModelMessage[];
      /** Tokens that the request has cost; absent if the endpoint reports no number. */
      readonly tokens?: number;
    }
  | {
      readonly kind: "failed";
      readonly reason: string;
      /** Whether the endpoint refused the request, and so charged nothing. */
      readonly isFree: boolean;
      /** Milliseconds to wait before a retry; absent if a retry is useless or not allowed. */
      readonly retryMs?: number;
    };

/**
 * Asks the model once, and joins its stream to one answer. The model's tools are not run here.
 *
 * @param options `signal` aborts the request, as does the time limit. A stream that stalls ends sooner.
 */
export async function ask(
  messages: readonly ModelMessage[],
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Round> {
  const stream = streamText({
    model: MODEL,
    system: INSTRUCTIONS,
    messages: [...messages],
    tools: TOOLS,
    maxOutputTokens: MAX_TOKENS,
    // The SDK must not retry: the bot does, and only requests that the endpoint refused, which cost nothing.
    maxRetries: 0,
    abortSignal: options.signal,
    timeout: { totalMs: options.timeoutMs, chunkMs: Number(stallMs) },
    // The SDK prints errors by default; they are thrown below instead.
    onError: () => {},
  });
  try {
    for await (const part of stream.fullStream) {
      if (part.type === "error") throw part.error;
      if (part.type === "abort") throw new Error("no answer in time");
    }
    const [text, toolCalls, finishReason, usage, response] = await Promise.all([
      stream.text,
      stream.toolCalls,
      stream.finishReason,
      stream.usage,
      stream.response,
    ]);
    return {
      kind: "said",
      text: text.trim(),
      calls: toolCalls.flatMap((call) => (call.dynamic === true ? [] : [call])),
      wantsTools: toolCalls.length > 0,
      finishReason,
      messages: response.messages,
      ...(usage.totalTokens !== undefined && { tokens: usage.totalTokens }),
    };
  } catch (error) {
    return failed(error);
  }
}

const RETRY_MS = 2_000;

function failed(error: unknown): Round {
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 400) {
    const seconds = Number(error.responseHeaders?.["retry-after"]);
    return {
      kind: "failed",
      // The endpoint's own error message is left out, because it may contain the API key.
      reason: `its endpoint answered with status ${error.statusCode}`,
      isFree: true,
      ...(error.isRetryable && { retryMs: seconds > 0 ? Math.ceil(seconds * 1_000) : RETRY_MS }),
    };
  }
  return { kind: "failed", reason: messageOf(error), isFree: false };
}

/** Returns the message of an error. An error from a stream may be a plain object of the endpoint with a `message`. */
function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}
