import type { NewOutage } from "../../events/kinds/link.ts";
import type { Store } from "../store/store.ts";

/** Stored outages of accounts. They are read on each use, since another process may have changed them. */
export interface OutageMemory {
  /** Returns the accounts whose events arrived at least once, now or earlier. */
  listKnownAccounts(): Promise<readonly string[]>;
  /** Returns the open outages, by account. */
  open(): Promise<ReadonlyMap<string, NewOutage>>;
  /**
   * Stores new outages; two processes that notice the same outage give it the same number.
   *
   * @returns The new outages by account, without accounts that already had an open one.
   */
  begin(
    outages: ReadonlyMap<string, Omit<NewOutage, "number">>,
  ): Promise<ReadonlyMap<string, NewOutage>>;
  /** Records that the events of these accounts arrive, which closes their outages. */
  stand(accounts: readonly string[]): Promise<void>;
}

interface Remembered {
  /** Number of the account's outages so far, including the open one. */
  readonly count: number;
  readonly open?: NewOutage;
}

/** Name of the store's value with all outages: a single value, so that many outages are written at once. */
const OUTAGES = "link-outages";

export function outageMemory(store: Pick<Store, "getMeta" | "setMeta">): OutageMemory {
  const read = async (): Promise<Map<string, Remembered>> => {
    const stored: Record<string, Remembered> = JSON.parse((await store.getMeta(OUTAGES)) ?? "{}");
    return new Map(Object.entries(stored));
  };
  const write = (all: ReadonlyMap<string, Remembered>): Promise<void> =>
    store.setMeta(OUTAGES, JSON.stringify(Object.fromEntries(all)));
  return {
    listKnownAccounts: async () => [...(await read()).keys()],
    async open() {
      const all = [...(await read())];
      return new Map(all.flatMap(([account, { open }]) => (open ? [[account, open]] : [])));
    },
    async begin(outages) {
      const all = await read();
      const begun = new Map<string, NewOutage>();
      for (const [account, outage] of outages) {
        const { count = 0, open } = all.get(account) ?? {};
        if (open !== undefined) continue;
        const numbered = { ...outage, number: count + 1 };
        begun.set(account, numbered);
        all.set(account, { count: numbered.number, open: numbered });
      }
      if (begun.size > 0) await write(all);
      return begun;
    },
    async stand(accounts) {
      const all = await read();
      const changed = accounts.filter((account) => {
        const entry = all.get(account);
        return entry === undefined || entry.open !== undefined;
      });
      for (const account of changed) all.set(account, { count: all.get(account)?.count ?? 0 });
      if (changed.length > 0) await write(all);
    },
  };
}
