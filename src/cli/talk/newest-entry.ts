import { callRuntime } from "../../runtime/control/call.ts";

/** The newest entry of the bot's journal; 0 where there is none, or no bot runs. */
export async function newestEntry(folder: string): Promise<number> {
  const [newest] = (await callRuntime(folder, "journal", { limit: 1 })) ?? [];
  return newest?.seq ?? 0;
}
