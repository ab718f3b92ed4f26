import { AnswerbackError, UsageError } from "../../errors.ts";
import { RuntimeConnection } from "../../runtime/calls.ts";
import { endingWith } from "../../system/ending.ts";
import type { CommonFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { errorFor, formatError } from "../output/error-text.ts";
import { visible } from "../../text/unseen.ts";
import { type LocalSandbox, SandboxRefusedError } from "../target/sandbox-control.ts";
import { followEvents } from "../target/sandbox-events.ts";
import { askBot } from "./ask-bot.ts";
import { answersOf, untilQuiet } from "./course.ts";
import { newestEntry } from "./newest-entry.ts";
import { printAnswer, printSilence } from "./print-answer.ts";
import { type InteractionKind, type Speaker, speakerFor } from "./speaker.ts";

export interface ChatOptions {
  readonly io: Io;
  readonly sandbox: LocalSandbox;
  /** Handle of the sandbox user who writes first; `/as` changes the user. */
  readonly handle: string;
  /** Maximum wait for the bot's answers to a line, in milliseconds. */
  readonly waitMs: number;
  readonly flags: CommonFlags;
}

/**
 * Sends each line of stdin to the bot, and prints the answers.
 *
 * @returns The number of lines without an answer.
 * @throws {UsageError} at an incomplete command, such as `/post` without a text.
 */
export async function pipedChat(options: ChatOptions): Promise<number> {
  const { io, sandbox, waitMs, flags } = options;
  const bot = sandbox.file.bot.username;
  let username = options.handle;
  let unanswered = 0;
  for await (const line of io.input.lines(io.signal)) {
    const input = parseLine(line);
    if (input.kind === "empty") continue;
    if (input.kind === "help") {
      io.err(`${HELP}\n`);
      continue;
    }
    if (input.kind === "as") {
      username = input.handle;
      continue;
    }
    const { how: kind, text } = input;
    const talkOutcome = await askBot({
      sandbox,
      username,
      kind,
      text,
      waitMs,
      signal: io.signal,
      onAnswer: (answer) => printAnswer(io, { bot, json: flags.json }, answer),
    });
    if (talkOutcome.answers > 0) continue;
    unanswered += 1;
    await printSilence(io, talkOutcome, { sandbox, waitMs, flags, to: visible(line) });
  }
  return unanswered;
}

/**
 * Runs a chat at the terminal. Prints answers as they arrive, or the reason why there is no answer. A line that is
 * refused does not end the chat.
 *
 * @throws {NotRunningError} if the sandbox ends.
 */
export async function interactiveChat(options: ChatOptions): Promise<void> {
  const { io, sandbox, flags } = options;
  const bot = sandbox.file.bot.username;
  const ending = endingWith([io.signal]);
  const { signal } = ending;
  let speaker = await speakerFor(sandbox, options.handle);
  // an answer may arrive after /as has changed the user
  const speakers = new Set([speaker]);
  const shown = new Set<string>();
  const events = await followEvents(sandbox, signal);
  const prompt = (): void => io.err(io.colors.dim(`@${speaker.username}> `));
  const printAnswers = async (): Promise<void> => {
    for await (const event of events) {
      const answer = Array.from(speakers, (one) => one.answerIn(event)).find(Boolean);
      if (answer === undefined) continue;
      io.err("\r");
      printAnswer(io, { bot, json: flags.json }, answer);
      shown.add(answer.id);
      prompt();
    }
  };
  const looks = new Set<Promise<void>>();
  const lookAt = (sent: Sent): void => {
    const look = tellSilence(options, sent, { shown, signal, prompt })
      .catch((error: unknown) => printFailure(options, error))
      .finally(() => void looks.delete(look));
    looks.add(look);
  };
  const sendLines = async (): Promise<void> => {
    for await (const line of io.input.lines(signal)) {
      try {
        speaker = await handleInput(options, speaker, line, lookAt);
      } catch (error) {
        const continues = error instanceof SandboxRefusedError || error instanceof UsageError;
        if (!continues) throw error;
        printFailure(options, error);
      }
      speakers.add(speaker);
      prompt();
    }
    ending.end();
  };
  io.err(`${HELP}\n`);
  prompt();
  try {
    await Promise.all([printAnswers(), sendLines()]);
  } finally {
    ending.end();
    await Promise.all(looks);
  }
}

/** Prints an error after which the chat continues. @throws the error if it is unexpected. */
function printFailure({ io, flags }: ChatOptions, error: unknown): void {
  if (!(error instanceof AnswerbackError)) throw error;
  const shown = errorFor(error, flags);
  const text = flags.json === true ? JSON.stringify(shown) : formatError(shown, io.colors);
  io.err("\r");
  io.err(`${text}\n`);
}

/** An input from the prompt that was sent to the bot. */
interface Sent {
  readonly said: Awaited<ReturnType<Speaker["send"]>>;
  readonly line: string;
  /** Number of the latest journal entry before the input. */
  readonly after: number;
  /** Connection to the bot; closed at the end of the observation. */
  readonly runtime: RuntimeConnection;
}

/** Waits for the end of the bot's processing. If no answer has been shown, prints the reason. */
async function tellSilence(
  { io, sandbox, waitMs, flags }: ChatOptions,
  { said, line, after, runtime }: Sent,
  {
    shown,
    signal,
    prompt,
  }: { shown: ReadonlySet<string>; signal: AbortSignal; prompt: () => void },
): Promise<void> {
  const deadline = Date.now() + waitMs;
  const course = await untilQuiet(said, { runtime, after, shown, deadline, signal }).finally(() =>
    runtime.close(),
  );
  const answered = answersOf(course).some(({ platformId }) => shown.has(platformId ?? ""));
  if (signal.aborted || answered) return;
  io.err("\r");
  await printSilence(io, { said, course }, { sandbox, waitMs, flags, to: visible(line) });
  prompt();
}

const HELP =
  "Type a message to the bot. /post TEXT, /reply TEXT, /follow, /as @NAME, /help; Ctrl-D ends the chat.";

async function handleInput(
  { io, sandbox }: ChatOptions,
  speaker: Speaker,
  line: string,
  onSent: (sent: Sent) => void,
): Promise<Speaker> {
  const input = parseLine(line);
  switch (input.kind) {
    case "empty":
      return speaker;
    case "help":
      io.err(`${HELP}\n`);
      return speaker;
    case "as":
      return speakerFor(sandbox, input.handle);
    case "send": {
      const runtime = new RuntimeConnection(sandbox.folder);
      try {
        const after = await newestEntry(runtime);
        const said = await speaker.send(input.how, input.text);
        onSent({ said, line, after, runtime });
      } catch (error) {
        runtime.close();
        throw error;
      }
      return speaker;
    }
  }
}

type ChatInput =
  | { readonly kind: "empty" }
  | { readonly kind: "help" }
  | { readonly kind: "as"; readonly handle: string }
  | { readonly kind: "send"; readonly how: InteractionKind; readonly text: string };

/** Commands of the chat. All other words after a slash are texts for the bot. */
const COMMANDS = ["post", "reply", "follow", "as", "help"] as const;
const COMMAND = new RegExp(String.raw`^(//?)(${COMMANDS.join("|")})(?:\s+(.*))?$`, "s");

/**
 * Parses a line of the chat: a command such as `/post`, or a text for the bot. A second slash makes a command a text:
 * `//help` is the text `/help`.
 *
 * @throws {UsageError} for a command without its text or handle, and for `/follow` with a text.
 */
function parseLine(line: string): ChatInput {
  const text = line.trim();
  const [, slashes, word = "", rest = ""] = COMMAND.exec(text) ?? [];
  if (text === "") return { kind: "empty" };
  if (slashes === "//") return { kind: "send", how: "dm", text: text.slice(1) };
  switch (word) {
    case "help":
      return { kind: "help" };
    case "follow":
      if (rest !== "") throw misused("/follow takes no text", "/follow");
      return { kind: "send", how: "follow", text: "" };
    case "as":
      if (/^[@\uff20]?$/.test(rest)) throw misused("/as has no handle", "/as @ben");
      return { kind: "as", handle: rest };
    case "post":
    case "reply":
      if (rest === "") throw misused(`/${word} has no text`, `/${word} are you open?`);
      return { kind: "send", how: word, text: rest };
    default:
      return { kind: "send", how: "dm", text };
  }
}

function misused(message: string, example: string): UsageError {
  const [word = ""] = example.split(" ");
  return new UsageError(message, {
    hint: `as in: ${example}   or, as a text for the bot: /${word}`,
  });
}
