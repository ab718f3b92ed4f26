import type { Store } from "../store/store.ts";
import type { Answers, CheckedRequests, ControlHandlers } from "./contract.ts";

export interface HandlerNeeds {
  readonly status: () => Promise<Answers["status"]>;
  readonly store: Pick<Store, "journal" | "items">;
  readonly accounts: AccountChanges;
}

/** Changes of the linked accounts, which nobody but the running runtime may make. */
export interface AccountChanges {
  link(account: CheckedRequests["linkAccount"]): Promise<Answers["linkAccount"]>;
  /** @returns `false` when there was no such account. */
  unlink(id: string): Promise<boolean>;
}

/** One handler an operation. */
export function controlHandlers({ status, store, accounts }: HandlerNeeds): ControlHandlers {
  return {
    status: () => status(),
    journal: (query) => store.journal(query),
    outbox: (query) => store.items(query),
    linkAccount: (account) => accounts.link(account),
    unlinkAccount: async ({ id }) => ({ removed: await accounts.unlink(id) }),
  };
}
