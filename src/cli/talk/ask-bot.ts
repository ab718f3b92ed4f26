import { RuntimeConnection } from "../../runtime/calls.ts";
import { endingWith } from "../../system/ending.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import { followEvents } from "../target/sandbox-events.ts";
import { type TalkCourse, untilQuiet } from "./course.ts";
import { newestEntry } from "./newest-entry.ts";
import { type BotAnswer, type InteractionKind, type SaidToBot, speakerFor } from "./speaker.ts";

export interface BotRequest {
  readonly sandbox: LocalSandbox;
  /** Handle of the sandbox user who writes; the user is created if missing. */
  readonly username: string;
  readonly kind: InteractionKind;
  readonly text: string;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Called with each answer of the bot. */
  readonly onAnswer: (answer: BotAnswer) => void;
}

/** Result of a message, post, reply or follow that was sent to the bot. */
export interface TalkOutcome {
  readonly said: SaidToBot;
  /** Number of answers that the bot has sent. */
  readonly answers: number;
  /** Latest known state of the input: whether the bot has received it, and the runs and answers that it started. */
  readonly course: TalkCourse;
}

/**
 * Sends a message, post, reply or follow to the bot as a sandbox user. Reports answers until no more are expected, for at most
 * `waitMs`.
 */
export async function askBot(talk: BotRequest): Promise<TalkOutcome> {
  const { sandbox, kind, text, waitMs, onAnswer } = talk;
  const runtime = new RuntimeConnection(sandbox.folder);
  const ending = endingWith([talk.signal]);
  const shown = new Set<string>();
  try {
    const [speaker, after, events] = await Promise.all([
      speakerFor(sandbox, talk.username),
      newestEntry(runtime),
      followEvents(sandbox, ending.signal),
    ]);
    const said = await speaker.send(kind, text);
    let isNew = (): void => {};
    const listening = (async () => {
      for await (const event of events) {
        const answer = speaker.answerIn(event);
        if (answer === undefined) continue;
        onAnswer(answer);
        shown.add(answer.id);
        isNew();
      }
    })();
    const deadline = Date.now() + waitMs;
    const answered = (): Promise<void> => new Promise((resolve) => (isNew = resolve));
    const looking = { runtime, after, shown, deadline, signal: ending.signal, answered };
    const course = await Promise.race([untilQuiet(said, looking), listening.then(sandboxGone)]);
    ending.end();
    await listening;
    return { said, answers: shown.size, course };
  } finally {
    ending.end();
    runtime.close();
  }
}

/** State to report if the sandbox ends: the state of the bot is then unknown. */
function sandboxGone(): TalkCourse {
  return { runs: [], items: [] };
}
