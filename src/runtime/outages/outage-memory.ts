import type { ToldOutage } from "../../events/kinds/link.ts";
import type { Store } from "../store/store.ts";

/** What is remembered of the outages of accounts: read each time, since another process may have told them. */
export interface OutageMemory {
  /** Accounts whose events have come at some time. */
  known(): Promise<readonly string[]>;
  /** The outages of accounts that have not ended, by account. */
  open(): Promise<ReadonlyMap<string, ToldOutage>>;
  /**
   * Notes that outages begin; two processes that notice one give it the same number.
   *
   * @returns Those of accounts that had none open, by account.
   */
  begin(
    outages: ReadonlyMap<string, Omit<ToldOutage, "number">>,
  ): Promise<ReadonlyMap<string, ToldOutage>>;
  /** Notes that the events of these accounts come. */
  stand(accounts: readonly string[]): Promise<void>;
}

interface Remembered {
  /** How many outages there were, the open one included. */
  readonly count: number;
  readonly open?: ToldOutage;
}

/** Under this name the store keeps them: all in one value, so that many are noted at once. */
const OUTAGES = "link-outages";

export function outageMemory(store: Pick<Store, "getMeta" | "setMeta">): OutageMemory {
  const read = async (): Promise<Map<string, Remembered>> => {
    const kept: Record<string, Remembered> = JSON.parse((await store.getMeta(OUTAGES)) ?? "{}");
    return new Map(Object.entries(kept));
  };
  const write = (all: ReadonlyMap<string, Remembered>): Promise<void> =>
    store.setMeta(OUTAGES, JSON.stringify(Object.fromEntries(all)));
  return {
    known: async () => [...(await read()).keys()],
    async open() {
      const all = [...(await read())];
      return new Map(all.flatMap(([account, { open }]) => (open ? [[account, open]] : [])));
    },
    async begin(outages) {
      const all = await read();
      const begun = new Map<string, ToldOutage>();
      for (const [account, outage] of outages) {
        const { count = 0, open } = all.get(account) ?? {};
        if (open !== undefined) continue;
        const told = { ...outage, number: count + 1 };
        begun.set(account, told);
        all.set(account, { count: told.number, open: told });
      }
      if (begun.size > 0) await write(all);
      return begun;
    },
    async stand(accounts) {
      const all = await read();
      const changed = accounts.filter((account) => {
        const known = all.get(account);
        return known === undefined || known.open !== undefined;
      });
      for (const account of changed) all.set(account, { count: all.get(account)?.count ?? 0 });
      if (changed.length > 0) await write(all);
    },
  };
}
