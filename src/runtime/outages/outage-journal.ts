import { outageBody, type NewOutage } from "../../events/kinds/link.ts";
import type { Clock } from "../clock/clock.ts";
import type { Append } from "../source.ts";
import type { Store } from "../store/store.ts";
import { outageMemory } from "./outage-memory.ts";

export interface OutageJournalNeeds {
  readonly append: Append;
  readonly memory: Pick<Store, "getMeta" | "setMeta">;
  readonly clock: Clock;
  /** Whether an account is linked to the bot, and its authorization is valid. */
  readonly isServed: (account: string) => boolean;
}

/** Beginning of an account's outage: a time in which no events of the account arrive. */
export interface BegunOutage {
  readonly account: string;
  /** Last time at which the account's events surely arrived, in milliseconds since the epoch. */
  readonly since: number;
  readonly reason: string;
}

/** Appends the beginning and the end of each outage to the journal. */
export interface OutageJournal {
  /**
   * Appends the open outages again at its first call: an earlier process may have stored an outage, and ended before it
   * appended the outage. The journal ignores a duplicate by its key.
   */
  repeatOpen(): Promise<void>;
  /** Begins an outage for each of these accounts that is linked, not revoked, and has no open outage. */
  begin(lost: readonly BegunOutage[]): Promise<void>;
  /** Ends the outages of accounts whose events arrive. */
  end(accounts: readonly string[]): Promise<void>;
  /** Returns the accounts whose events arrived at least once, now or earlier. */
  listKnownAccounts(): Promise<readonly string[]>;
}

/** Creates an {@link OutageJournal}, which also stores which outages are open. */
export function outageJournal(needs: OutageJournalNeeds): OutageJournal {
  const { append, clock, isServed } = needs;
  const outages = outageMemory(needs.memory);
  let isRepeated = false;
  const write = async (account: string, outage: NewOutage, what: "lost" | "restored") => {
    const body = outageBody(account, outage, what);
    await append(body, JSON.stringify(body));
  };
  return {
    listKnownAccounts: () => outages.listKnownAccounts(),
    async repeatOpen() {
      if (isRepeated) return;
      for (const [account, outage] of await outages.open()) await write(account, outage, "lost");
      isRepeated = true;
    },
    async begin(lost) {
      const at = clock.now();
      const served = lost.filter(({ account }) => isServed(account));
      const begun = await outages.begin(
        new Map(served.map(({ account, since, reason }) => [account, { at, since, reason }])),
      );
      for (const [account, outage] of begun) await write(account, outage, "lost");
    },
    async end(accounts) {
      const open = await outages.open();
      for (const account of accounts) {
        const outage = open.get(account);
        if (outage !== undefined) await write(account, { ...outage, at: clock.now() }, "restored");
      }
      await outages.stand(accounts);
    },
  };
}
