import type { Clock } from "../clock/clock.ts";
import type { Forgotten, MarkedEntries } from "../store/listings.ts";
import type { AdminPort, EscalationPort, ReadPort } from "../store/store.ts";
import { findPeople } from "./find-person.ts";

export interface ForgetNeeds {
  readonly store: Pick<ReadPort, "journal"> &
    Pick<AdminPort, "forget"> &
    Pick<EscalationPort, "escalations">;
  readonly clock: Pick<Clock, "now">;
  /** Whether a user id belongs to a linked account. */
  readonly isLinked: (id: string) => boolean;
  /** Returns the marks by which a person's events are found in stored counts of the `count` step. */
  readonly countedAs: (id: string) => MarkedEntries;
  /** Runs `erase` while no work of the person's events begins. Absent: no work is under way. */
  readonly erasing?: <T>(id: string, erase: () => Promise<T>) => Promise<T>;
}

/** Result of deleting a person's data. */
export interface ForgetOutcome extends Forgotten {
  /** User id of the person. Absent: nothing is stored of a person with this id or handle, so nothing was deleted. */
  readonly id?: string;
  /** Reason why the deletion was refused. Absent: it was not refused. */
  readonly refused?: string;
  /** Correction of the request, if it was refused. */
  readonly hint?: string;
}

const NOTHING: Forgotten = { entries: 0, items: 0, state: 0, left: 0 };

/**
 * Deletes a person's data from the store.
 *
 * @param person User id, or handle with or without `@`.
 */
export async function forgetPerson(needs: ForgetNeeds, person: string): Promise<ForgetOutcome> {
  const { store, clock, isLinked, countedAs, erasing = (_id, erase) => erase() } = needs;
  const [id, ...others] = await findPeople(store, person);
  if (id === undefined) return NOTHING;
  if (others.length > 0) {
    const ids = [id, ...others].join(", ");
    const refused = `${person} was the handle of several people, with the user ids ${ids}`;
    return { ...NOTHING, refused, hint: "name the person by user id" };
  }
  if (isLinked(id)) {
    const refused = `${person} is an account that the bot answers for`;
    return { ...NOTHING, id, refused, hint: "unlink it first, with: answerback accounts" };
  }
  const username = id === person ? {} : { username: person.replace(/^@/, "") };
  const query = { id, ...username, now: clock.now(), marked: countedAs(id) };
  // Hand-overs may be all that is left of a person whose events were pruned. They are not counted.
  const handOvers = await store.escalations({ person: id, limit: 1 });
  const gone = await erasing(id, () => store.forget(query));
  const isNothing = Object.values(gone).every((count) => count === 0) && handOvers.length === 0;
  return isNothing ? NOTHING : { ...gone, id };
}
