/**
 * Ordering key of the events and actions between an account and a person.
 *
 * @param account User id of the bot account.
 * @param person User id of the person; the account's own id if there is no other person.
 */
export function laneOf(account: string, person: string): string {
  return `${account}/${person}`;
}
