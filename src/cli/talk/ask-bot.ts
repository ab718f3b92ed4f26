import { endingWith } from "../../system/ending.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import { followEvents } from "../target/sandbox-events.ts";
import { type TalkCourse, newestEntry, untilQuiet } from "./course.ts";
import { type BotAnswer, type InteractionKind, type SaidToBot, speakerFor } from "./speaker.ts";

export interface BotRequest {
  readonly sandbox: LocalSandbox;
  /** User who writes; created if there is none of that name. */
  readonly username: string;
  readonly kind: InteractionKind;
  readonly text: string;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Called with each answer as it comes. */
  readonly onAnswer: (answer: BotAnswer) => void;
}

/** What came of writing to the bot. */
export interface TalkOutcome {
  readonly said: SaidToBot;
  /** How many answers came. */
  readonly answers: number;
  /** What the bot made of it, up to when it was looked at last. */
  readonly course: TalkCourse;
}

/** Writes to the bot as a sandbox user, and shows each answer until nothing more comes of it or `waitMs` are over. */
export async function askBot(talk: BotRequest): Promise<TalkOutcome> {
  const { sandbox, kind, text, waitMs, onAnswer } = talk;
  const { folder } = sandbox;
  const speaker = await speakerFor(sandbox, talk.username);
  const ending = endingWith([talk.signal]);
  const shown = new Set<string>();
  try {
    const after = await newestEntry(folder);
    const events = await followEvents(sandbox, ending.signal);
    const said = await speaker.send(kind, text);
    const listening = (async () => {
      for await (const event of events) {
        const answer = await speaker.answerIn(event);
        if (answer === undefined) continue;
        onAnswer(answer);
        shown.add(answer.id);
      }
    })();
    const deadline = Date.now() + waitMs;
    const looking = { folder, after, shown, deadline, signal: ending.signal };
    const course = await Promise.race([untilQuiet(said, looking), listening.then(sandboxGone)]);
    ending.end();
    await listening;
    return { said, answers: shown.size, course };
  } finally {
    ending.end();
    await speaker.close();
  }
}

/** The feed ends with the sandbox: nothing is known of the bot any more. */
function sandboxGone(): TalkCourse {
  return { runs: [], items: [] };
}
