import type { LocalSandbox } from "../target/sandbox-control.ts";
import { hear } from "../target/sandbox-events.ts";
import { type BotAnswer, type How, speakerFor } from "./speaker.ts";

export interface Conversation {
  readonly sandbox: LocalSandbox;
  /** Who speaks; made when there is nobody of that name. */
  readonly username: string;
  readonly how: How;
  readonly text: string;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Lets a person speak and listens for the bot's answer to them.
 *
 * @returns Undefined when none came within `waitMs`.
 */
export async function converse(talk: Conversation): Promise<BotAnswer | undefined> {
  const speaker = await speakerFor(talk.sandbox, talk.username);
  const ending = AbortSignal.any([talk.signal, AbortSignal.timeout(talk.waitMs)]);
  try {
    const events = await hear(talk.sandbox, ending);
    await speaker.say(talk.how, talk.text);
    for await (const event of events) {
      const answer = await speaker.answerIn(event);
      if (answer !== undefined) return answer;
    }
    return undefined;
  } catch (error) {
    if (ending.aborted) return undefined;
    throw error;
  } finally {
    await speaker.close();
  }
}
