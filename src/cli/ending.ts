import type { Command } from "commander";

const ENDING_ITSELF = new WeakSet<Command>();

/** Marks a command that ends in its own time when it is interrupted: it has something to put in order. */
export function endingItself(command: Command): Command {
  ENDING_ITSELF.add(command);
  return command;
}

/** Whether an interrupted command is waited for; any other is dropped where it stands. */
export function endsItself(command: Command): boolean {
  return ENDING_ITSELF.has(command);
}
