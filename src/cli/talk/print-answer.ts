import { withSameSettings } from "../output/same-settings.ts";
import type { CommonFlags } from "../arguments/settings-flags.ts";
import { type JsonError } from "../output/error-text.ts";
import type { Io } from "../io.ts";
import { visibleLines } from "../../text/unseen.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import type { TalkOutcome } from "./ask-bot.ts";
import type { BotAnswer } from "./speaker.ts";

export interface AnswerLook {
  /** Handle of the bot, without `@`. */
  readonly bot: string;
  readonly json?: boolean | undefined;
}

/** Prints an answer of the bot: as text for people, as a JSON object for programs. */
export function printAnswer(io: Io, { bot, json }: AnswerLook, answer: BotAnswer): void {
  if (json === true) io.out(`${JSON.stringify({ from: bot, ...answer })}\n`);
  else io.out(`@${bot}: ${visibleLines(answer.text)}\n`);
}

export interface SilenceLook {
  readonly sandbox: LocalSandbox;
  readonly waitMs: number;
  readonly flags: CommonFlags;
  /** Text of the unanswered input, to be quoted in the message; absent if the command had only one input. */
  readonly to?: string;
}

/** Prints the reason why there is no answer: a sentence for people, an error for programs. */
export async function printSilence(
  io: Io,
  talkOutcome: Pick<TalkOutcome, "said" | "course">,
  { sandbox, waitMs, flags, to }: SilenceLook,
): Promise<void> {
  const { whySilent } = await import("./why-silent.ts");
  const reason = await whySilent(io, talkOutcome, { sandbox, waitedMs: waitMs, flags });
  const why = withSameSettings(reason, flags);
  const message = `no answer${to === undefined ? "" : ` to "${to}"`}: ${why}`;
  if (flags.json === true) {
    io.err(`${JSON.stringify({ code: "no-answer", message } satisfies JsonError)}\n`);
  } else io.err(`${message}\n`);
}
