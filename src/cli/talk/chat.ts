import type { Io } from "../io.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import { hear } from "../target/sandbox-events.ts";
import { converse } from "./converse.ts";
import { type BotAnswer, type How, type Speaker, speakerFor } from "./speaker.ts";

export interface ChatOptions {
  readonly io: Io;
  readonly sandbox: LocalSandbox;
  /** Who speaks first. */
  readonly handle: string;
  readonly json: boolean;
}

/** Says each line that comes in and prints its answer. Gives how many had none within `waitMs`. */
export async function pipedChat(
  options: ChatOptions & { readonly waitMs: number },
): Promise<number> {
  const { io, sandbox, waitMs } = options;
  let username = options.handle;
  let unanswered = 0;
  for await (const line of io.input.lines(io.signal)) {
    const said = readLine(line);
    if (said.kind === "nothing" || said.kind === "help") continue;
    if (said.kind === "as") {
      username = said.handle;
      continue;
    }
    const { how, text } = said;
    const answer = await converse({ sandbox, username, how, text, waitMs, signal: io.signal });
    if (answer === undefined) {
      unanswered += 1;
      io.err(`No answer to: ${line}\n`);
    } else print(options, answer);
  }
  return unanswered;
}

/** A conversation with somebody at the keyboard: answers are printed as they come. */
export async function typedChat(options: ChatOptions): Promise<void> {
  const { io, sandbox } = options;
  const ending = new AbortController();
  const signal = AbortSignal.any([io.signal, ending.signal]);
  let speaker = await speakerFor(sandbox, options.handle);
  const events = await hear(sandbox, signal);
  const prompt = (): void => io.err(io.colors.dim(`@${speaker.username}> `));
  const hearing = (async () => {
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
      speaker = await act(options, speaker, line);
      prompt();
    }
  } finally {
    ending.abort();
    await hearing;
    await speaker.close();
  }
}

const HELP = "Type to the bot. /post TEXT, /follow, /as @NAME; Ctrl-D ends.";

async function act({ io, sandbox }: ChatOptions, speaker: Speaker, line: string): Promise<Speaker> {
  const said = readLine(line);
  switch (said.kind) {
    case "nothing":
      return speaker;
    case "help":
      io.err(`${HELP}\n`);
      return speaker;
    case "as":
      await speaker.close();
      return speakerFor(sandbox, said.handle);
    case "say":
      await speaker.say(said.how, said.text);
      return speaker;
  }
}

type Said =
  | { readonly kind: "nothing" }
  | { readonly kind: "help" }
  | { readonly kind: "as"; readonly handle: string }
  | { readonly kind: "say"; readonly how: How; readonly text: string };

/** What a line asks for: words begin with anything, commands with a slash. */
function readLine(line: string): Said {
  const text = line.trim();
  const [, word = "", rest = ""] = /^\/(\w+)\s*(.*)$/s.exec(text) ?? [];
  if (text === "") return { kind: "nothing" };
  if (word === "as" && rest !== "") return { kind: "as", handle: rest };
  if (word === "post" && rest !== "") return { kind: "say", how: "post", text: rest };
  if (word === "follow") return { kind: "say", how: "follow", text: "" };
  return word === "" ? { kind: "say", how: "dm", text } : { kind: "help" };
}

function print({ io, sandbox, json }: ChatOptions, answer: BotAnswer): void {
  const from = sandbox.file.bot.username;
  if (json) io.out(`${JSON.stringify({ from, ...answer })}\n`);
  else io.out(`@${from}: ${answer.text}\n`);
}
