import { rename, stat } from "node:fs/promises";
import { join } from "node:path";

const ROTATE_AT_BYTES = 10 * 1024 * 1024;

/** The bot's log in its data folder. */
export function botLog(folder: string): string {
  return join(folder, "bot.log");
}

/** Rotates the log file when it is large; one old file is kept beside it. */
export async function rotateBotLog(folder: string): Promise<void> {
  const file = botLog(folder);
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > ROTATE_AT_BYTES) await rename(file, `${file}.1`);
}
