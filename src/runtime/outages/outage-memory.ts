import type { ToldOutage } from "../../events/kinds/link.ts";
import type { Store } from "../store/store.ts";

/** What is remembered of the outages of accounts: read each time, since another process may have told them. */
export interface OutageMemory {
  /** Accounts whose events have come at some time. */
  known(): Promise<readonly string[]>;
  /** The outage of an account that has not ended. */
  open(account: string): Promise<ToldOutage | undefined>;
  /** Notes that an outage begins; two processes that notice it give it the same number. */
  begin(account: string, outage: Omit<ToldOutage, "number">): Promise<ToldOutage>;
  /** Notes that the events of an account come. */
  stands(account: string): Promise<void>;
}

interface Remembered {
  /** How many outages there were, the open one included. */
  readonly count: number;
  readonly open?: ToldOutage;
}

/** Under this name the store keeps them. */
const OUTAGES = "link-outages";

export function outageMemory(store: Pick<Store, "getMeta" | "setMeta">): OutageMemory {
  const read = async (): Promise<Readonly<Record<string, Remembered>>> =>
    JSON.parse((await store.getMeta(OUTAGES)) ?? "{}");
  const write = async (account: string, remembered: Remembered): Promise<void> =>
    store.setMeta(OUTAGES, JSON.stringify({ ...(await read()), [account]: remembered }));
  return {
    known: async () => Object.keys(await read()),
    open: async (account) => (await read())[account]?.open,
    async begin(account, outage) {
      const { count = 0 } = (await read())[account] ?? {};
      const open = { ...outage, number: count + 1 };
      await write(account, { count: open.number, open });
      return open;
    },
    async stands(account) {
      const remembered = (await read())[account];
      if (remembered !== undefined && remembered.open === undefined) return;
      await write(account, { count: remembered?.count ?? 0 });
    },
  };
}
