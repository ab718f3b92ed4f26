import { join } from "node:path";

/** The bot's log in its data folder. */
export function botLog(folder: string): string {
  return join(folder, "bot.log");
}
