import type { Io } from "../io.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import { followEvents } from "../target/sandbox-events.ts";
import { askBot } from "./ask-bot.ts";
import { type BotAnswer, type InteractionKind, type Speaker, speakerFor } from "./speaker.ts";

export interface ChatOptions {
  readonly io: Io;
  readonly sandbox: LocalSandbox;
  /** User who writes first. */
  readonly handle: string;
  readonly json: boolean;
}

/** Sends each line of stdin and prints its answer. @returns The number of lines without an answer within `waitMs`. */
export async function pipedChat(
  options: ChatOptions & { readonly waitMs: number },
): Promise<number> {
  const { io, sandbox, waitMs } = options;
  let username = options.handle;
  let unanswered = 0;
  for await (const line of io.input.lines(io.signal)) {
    const input = parseLine(line);
    if (input.kind === "empty" || input.kind === "help") continue;
    if (input.kind === "as") {
      username = input.handle;
      continue;
    }
    const { how, text } = input;
    const answer = await askBot({ sandbox, username, kind: how, text, waitMs, signal: io.signal });
    if (answer === undefined) {
      unanswered += 1;
      io.err(`No answer to: ${line}\n`);
    } else print(options, answer);
  }
  return unanswered;
}

/** A conversation at the terminal: answers are printed as they arrive. */
export async function interactiveChat(options: ChatOptions): Promise<void> {
  const { io, sandbox } = options;
  const ending = new AbortController();
  const signal = AbortSignal.any([io.signal, ending.signal]);
  let speaker = await speakerFor(sandbox, options.handle);
  const events = await followEvents(sandbox, signal);
  const prompt = (): void => io.err(io.colors.dim(`@${speaker.username}> `));
  const printing = (async () => {
    for await (const event of events) {
      const answer = await speaker.answerIn(event);
      if (answer === undefined) continue;
      io.err("\r");
      print(options, answer);
      prompt();
    }
  })();
  io.err(`${HELP}\n`);
  prompt();
  try {
    for await (const line of io.input.lines(signal)) {
      speaker = await handleInput(options, speaker, line);
      prompt();
    }
  } finally {
    ending.abort();
    await printing;
    await speaker.close();
  }
}

const HELP = "Type a message to the bot. /post TEXT, /follow, /as @NAME; Ctrl-D ends the chat.";

async function handleInput(
  { io, sandbox }: ChatOptions,
  speaker: Speaker,
  line: string,
): Promise<Speaker> {
  const input = parseLine(line);
  switch (input.kind) {
    case "empty":
      return speaker;
    case "help":
      io.err(`${HELP}\n`);
      return speaker;
    case "as":
      await speaker.close();
      return speakerFor(sandbox, input.handle);
    case "send":
      await speaker.send(input.how, input.text);
      return speaker;
  }
}

type ChatInput =
  | { readonly kind: "empty" }
  | { readonly kind: "help" }
  | { readonly kind: "as"; readonly handle: string }
  | { readonly kind: "send"; readonly how: InteractionKind; readonly text: string };

/** The meaning of a line: a command when it begins with a slash, else a text. */
function parseLine(line: string): ChatInput {
  const text = line.trim();
  const [, word = "", rest = ""] = /^\/(\w+)\s*(.*)$/s.exec(text) ?? [];
  if (text === "") return { kind: "empty" };
  if (word === "as" && rest !== "") return { kind: "as", handle: rest };
  if (word === "post" && rest !== "") return { kind: "send", how: "post", text: rest };
  if (word === "follow") return { kind: "send", how: "follow", text: "" };
  return word === "" ? { kind: "send", how: "dm", text } : { kind: "help" };
}

function print({ io, sandbox, json }: ChatOptions, answer: BotAnswer): void {
  const from = sandbox.file.bot.username;
  if (json) io.out(`${JSON.stringify({ from, ...answer })}\n`);
  else io.out(`@${from}: ${answer.text}\n`);
}
