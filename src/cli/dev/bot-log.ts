import { rename, stat } from "node:fs/promises";
import { join } from "node:path";

const LONGEST_BYTES = 10 * 1024 * 1024;

/** The bot's log in its data folder. */
export function botLog(folder: string): string {
  return join(folder, "bot.log");
}

/** Begins a new log file when the old one has grown long; one old file stays beside it. */
export async function turnBotLog(folder: string): Promise<void> {
  const file = botLog(folder);
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LONGEST_BYTES) await rename(file, `${file}.1`);
}
