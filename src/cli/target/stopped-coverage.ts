import { openAccounts } from "../../runtime/accounts/registry.ts";
import { shownSpans } from "../../runtime/catchup/coverage-view.ts";
import type { Answers } from "../../runtime/control/contract.ts";
import { openStore } from "../../runtime/store/open.ts";
import { exists } from "../arguments/settings-flags.ts";
import { platformTime } from "./platform-time.ts";

const HOUR_MS = 60 * 60_000;

/**
 * The coverage that a bot which does not run has left in its store; undefined when there is no store.
 *
 * @param key `ANSWERBACK_KEY`: opens the accounts' tokens.
 * @throws {StoreError} when another process holds the store.
 */
export async function stoppedCoverage(
  folder: string,
  hours: number,
  key: string | undefined,
): Promise<Answers["coverage"] | undefined> {
  if (!(await exists(folder, "store.db"))) return undefined;
  const accounts = await openAccounts(folder, key);
  const store = await openStore(`file:${folder}`);
  try {
    const now = await platformTime(folder);
    const window = { from: now - hours * HOUR_MS, to: now };
    const all = await store.coverage({ after: window.from });
    return {
      ...window,
      accounts: accounts.list().map(({ id, username }) => {
        const spans = all.filter(({ account }) => account === id);
        const shown = shownSpans({ spans, window, now, reachable: false });
        return { id, username, reachable: false, spans: shown };
      }),
    };
  } finally {
    await store.close();
  }
}
