import { join } from "node:path";

/** Path of the bot's log in its data folder. */
export function botLog(folder: string): string {
  return join(folder, "bot.log");
}
