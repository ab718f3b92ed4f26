import { callRuntime } from "../../runtime/calls.ts";
import { forgetPerson } from "../../runtime/stores.ts";
import type { Answers } from "../../runtime/vocabulary.ts";
import { countedAs } from "../../rules/user-state.ts";
import { isPostgresUrl } from "../../system/postgres-url.ts";
import {
  dataFolder,
  exists,
  settingsFor,
  type SettingsFlags,
} from "../arguments/settings-flags.ts";
import { NotRunningError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { openUnheld } from "../target/stored.ts";
import { linkedAccounts } from "../target/target.ts";
import { platformTime } from "../target/platform-time.ts";

/** Makes the running bot forget a person; if no bot runs, erases the person from the store directly. */
export async function forgetOf(
  io: Io,
  flags: SettingsFlags,
  person: string,
): Promise<Answers["forget"]> {
  const settings = await settingsFor(io, flags);
  const folder = dataFolder(settings);
  const answer = await callRuntime(folder, "forget", { person });
  if (answer !== undefined) return answer;
  const { url } = settings.store;
  if (!isPostgresUrl(url) && !(await exists(folder, "store.db"))) {
    throw new NotRunningError(`no bot has run with the data folder ${folder}`, {
      hint: "name the folder of the bot's data with --data",
    });
  }
  const accounts = new Set((await linkedAccounts(settings, io)).map(({ id }) => id));
  const now = await platformTime(folder);
  const store = await openUnheld(settings, { readOnly: false });
  try {
    const isLinked = (id: string): boolean => accounts.has(id);
    return await forgetPerson({ store, clock: { now: () => now }, isLinked, countedAs }, person);
  } finally {
    await store.close();
  }
}
