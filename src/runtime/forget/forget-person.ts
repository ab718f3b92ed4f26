import type { Clock } from "../clock/clock.ts";
import type { Forgotten, MarkedEntries } from "../store/listings.ts";
import type { AdminPort, ReadPort } from "../store/store.ts";
import { findPerson } from "./find-person.ts";

export interface ForgetNeeds {
  readonly store: Pick<ReadPort, "journal"> & Pick<AdminPort, "forget">;
  readonly clock: Pick<Clock, "now">;
  /** Whether a user id is that of a linked account. */
  readonly isLinked: (id: string) => boolean;
  /** Returns how counts of the rules name a person. */
  readonly countedAs: (id: string) => MarkedEntries;
}

/** What became of the wish to be forgotten. */
export interface ForgetOutcome extends Forgotten {
  /** Absent: nothing here is of anybody with that handle. */
  readonly id?: string;
  /** Why nothing was done, where it was not. */
  readonly refused?: string;
}

const NOTHING: Forgotten = { entries: 0, items: 0, state: 0, left: 0 };

/**
 * Has the store forget a person.
 *
 * @param person User id, or handle with or without `@`.
 */
export async function forgetPerson(needs: ForgetNeeds, person: string): Promise<ForgetOutcome> {
  const { store, clock, isLinked, countedAs } = needs;
  const id = await findPerson(store, person);
  if (id === undefined) return NOTHING;
  if (isLinked(id)) {
    return { ...NOTHING, id, refused: `${person} is an account that the bot answers for` };
  }
  return { ...(await store.forget({ id, now: clock.now(), marked: countedAs(id) })), id };
}
