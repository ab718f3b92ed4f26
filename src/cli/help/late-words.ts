import type { Command } from "commander";

type Words = () => Promise<readonly string[]>;

const WORDS = new WeakMap<Command, Words>();

/** Has completion offer words for a command's first argument that take too long to know for every start. */
export function withLateWords(command: Command, words: Words): Command {
  WORDS.set(command, words);
  return command;
}

/** Those words; none for other commands. */
export async function lateWordsOf(command: Command): Promise<readonly string[]> {
  return (await WORDS.get(command)?.()) ?? [];
}
