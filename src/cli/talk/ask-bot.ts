import type { LocalSandbox } from "../target/sandbox-control.ts";
import { followEvents } from "../target/sandbox-events.ts";
import { type BotAnswer, type InteractionKind, speakerFor } from "./speaker.ts";

export interface BotRequest {
  readonly sandbox: LocalSandbox;
  /** User who writes; created if there is none of that name. */
  readonly username: string;
  readonly kind: InteractionKind;
  readonly text: string;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Writes to the bot as a sandbox user and waits for its answer.
 *
 * @returns Undefined when none came within `waitMs`.
 */
export async function askBot(talk: BotRequest): Promise<BotAnswer | undefined> {
  const speaker = await speakerFor(talk.sandbox, talk.username);
  const ending = AbortSignal.any([talk.signal, AbortSignal.timeout(talk.waitMs)]);
  try {
    const events = await followEvents(talk.sandbox, ending);
    await speaker.send(talk.kind, talk.text);
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
