import type { Command } from "commander";

type Words = () => Promise<readonly string[]>;

const WORDS = new WeakMap<Command, Words>();

/** Sets a function that loads the completions of a command's first argument, called only for the completion script. */
export function withLateWords(command: Command, words: Words): Command {
  WORDS.set(command, words);
  return command;
}

/** Words set by {@link withLateWords}; none for other commands. */
export async function lateWordsOf(command: Command): Promise<readonly string[]> {
  return (await WORDS.get(command)?.()) ?? [];
}
