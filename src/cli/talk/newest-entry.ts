import type { RuntimeConnection } from "../../runtime/vocabulary.ts";

/** Returns the number of the newest entry in the bot's journal; 0 if there is none, or no bot runs. */
export async function newestEntry(runtime: RuntimeConnection): Promise<number> {
  const [newest] = (await runtime.call("journal", { limit: 1 })) ?? [];
  return newest?.seq ?? 0;
}
