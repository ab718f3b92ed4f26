import { shownTime } from "../../runtime/records.ts";
import type { Answers, Store } from "../../runtime/vocabulary.ts";
import type { Settings } from "../../config/settings.ts";
import { dataFolder } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { platformTime } from "./platform-time.ts";
import { linkedAccounts } from "./target.ts";

const HOUR_MS = 60 * 60_000;

/** Reads a stopped bot's coverage (in which periods it received all events) from its store. */
export async function stoppedCoverage(
  store: Pick<Store, "coverage">,
  io: Pick<Io, "env">,
  {
    settings,
    hours,
  }: { readonly settings: Pick<Settings, "store" | "postgres">; readonly hours: number },
): Promise<Answers["coverage"]> {
  const accounts = await linkedAccounts(settings, io);
  const now = await platformTime(dataFolder(settings));
  const window = { from: now - hours * HOUR_MS, to: now };
  const all = await store.coverage({ after: window.from });
  return {
    ...window,
    accounts: accounts.map(({ id, username }) => {
      const spans = all.filter(({ account }) => account === id);
      const shown = shownTime({ spans, window, now, reachable: false });
      return { id, username, reachable: false, ...shown };
    }),
  };
}
