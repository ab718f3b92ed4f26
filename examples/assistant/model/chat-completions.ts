import { readFileSync } from "node:fs";

/** Message of a conversation, in the form of the endpoint. */
export type Turn = { readonly role: "user" | "assistant"; readonly content: string };

/** Answer of the model. */
export interface Said {
  readonly text: string;
  /** False if the limit of tokens cut the answer off. */
  readonly isWhole: boolean;
}

const {
  ASSISTANT_URL: url = "http://127.0.0.1:11434/v1",
  ASSISTANT_KEY: key = "",
  ASSISTANT_MODEL: model = "llama3.2",
  ASSISTANT_TIMEOUT_MS: timeoutMs = "20000",
} = process.env;
const INSTRUCTIONS = readFileSync(new URL("../instructions.md", import.meta.url), "utf8");
/** Limit of an answer's length, and so of its cost. */
const MAX_TOKENS = 300;

/**
 * Asks a chat-completions endpoint for the next answer.
 *
 * @param signal Aborts the request, as the time-out does.
 * @throws {Error} without an answer in time, or with an unreadable one.
 */
export async function whatToSay(turns: readonly Turn[], signal: AbortSignal): Promise<Said> {
  const ending = new AbortController();
  const end = (): void => ending.abort(new Error(`no answer within ${timeoutMs} ms`));
  const timer = setTimeout(end, Number(timeoutMs));
  signal.addEventListener("abort", end, { once: true });
  try {
    const response = await fetch(`${url}/chat/completions`, {
      method: "POST",
      signal: ending.signal,
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model,
        max_tokens: MAX_TOKENS,
        messages: [{ role: "system", content: INSTRUCTIONS }, ...turns],
      }),
    });
    if (!response.ok) throw new Error(`the model answered with status ${response.status}`);
    return read(await response.json());
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

/** Fields of an answer that the bot reads. The answer comes from outside, so each field may be missing. */
interface Completion {
  readonly choices?: readonly {
    readonly message?: { readonly content?: unknown };
    readonly finish_reason?: unknown;
  }[];
}

function read(answer: unknown): Said {
  const [choice] = (answer as Completion | null)?.choices ?? [];
  const text = choice?.message?.content;
  if (typeof text !== "string" || text.trim() === "") throw new Error("the model said nothing");
  return { text: text.trim(), isWhole: choice?.finish_reason !== "length" };
}
