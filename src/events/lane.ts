/**
 * The lane of what happens between an account and a person: what must stay in order.
 *
 * @param account User id of the bot account.
 * @param person User id of the person; the account's own where nobody else is concerned.
 */
export function laneOf(account: string, person: string): string {
  return `${account}/${person}`;
}
