import type { Command } from "commander";

const GRACEFUL = new WeakSet<Command>();

/** Marks a command that stops gracefully after an interrupt, because it has something to clean up. */
export function withGracefulStop(command: Command): Command {
  GRACEFUL.add(command);
  return command;
}

/** Whether main waits for the command after an interrupt; any other command is abandoned. */
export function stopsGracefully(command: Command): boolean {
  return GRACEFUL.has(command);
}
