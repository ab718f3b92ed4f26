import type { HeldLane } from "../../runtime/outbox/held-by-hand.ts";
import type { EventReader } from "../../runtime/runs/entry-event.ts";
import type { ReadPort } from "../../runtime/store/store.ts";
import { shell } from "../../text/shell.ts";
import type { Ground } from "./ground.ts";

/** Returns the id of the person from a lane (`account/person`), the key of a conversation. */
export function personOf(lane: string): string {
  return lane.slice(lane.indexOf("/") + 1);
}

/** Finds the handle of the person in a conversation; undefined if the journal does not have it. */
export type UsernameFinder = (held: Pick<HeldLane, "seq" | "lane">) => Promise<string | undefined>;

export interface HeldAlarmNeeds extends Pick<Ground, "log" | "events" | "accounts"> {
  readonly usernameOf: UsernameFinder;
}

/** Returns a function that reports held answers to the operator: the person, the reason, and how to release them. */
export function heldAlarm(needs: HeldAlarmNeeds): (held: HeldLane) => Promise<void> {
  const { log, events, accounts } = needs;
  return async (held) => {
    const { account, lane, reason } = held;
    const person = personOf(lane);
    const username = (await needs.usernameOf(held)) ?? accounts.find(person)?.username;
    const fix = shell`answerback resume --person ${username ?? person}`;
    const whose = `answers of @${accounts.find(account)?.username ?? account} to ${username === undefined ? person : `@${username}`}`;
    log.warn({ account, person, lane }, `${whose} are held back: ${reason}; to send them: ${fix}`);
    events.publish({ type: "answers-held", data: { account, person, lane, reason, fix } });
  };
}

/** Returns a finder that reads the handle from the answered event in the journal. */
export function personNames(
  store: Pick<ReadPort, "journal">,
  reader: Pick<EventReader, "eventOf">,
): UsernameFinder {
  return async ({ seq, lane }) => {
    const [row] = await store.journal({ seq, limit: 1 });
    if (row === undefined) return undefined;
    const event = reader.eventOf(row);
    const isTheirs = "sender" in event && event.sender.id === personOf(lane);
    return isTheirs ? event.sender.username : undefined;
  };
}
