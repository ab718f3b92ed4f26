/**
 * Ordering key of the events and actions between an account and a person.
 *
 * @param account User id of the bot account.
 * @param person User id of the person; the account's own id if there is no other person.
 */
export function laneOf(account: string, person: string): string {
  return `${account}/${person}`;
}

/** Prefix of a group's id in a lane, the key that orders events and actions: `account/group:id`. */
const GROUP = "group:";

/** Ordering key of all events and actions in a group conversation: all participants share it. */
export function groupLaneOf(account: string, conversationId: string): string {
  return laneOf(account, `${GROUP}${conversationId}`);
}

/** Returns the id of a lane's group conversation; `undefined` if the lane belongs to a single person. */
export function groupOfLane(lane: string): string | undefined {
  const other = lane.slice(lane.indexOf("/") + 1);
  return other.startsWith(GROUP) ? other.slice(GROUP.length) : undefined;
}
