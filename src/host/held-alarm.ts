import type { LinkedAccount } from "../runtime/accounts/linked-account.ts";
import { personOf } from "./by-hand/hold-back.ts";
import type { Log } from "../runtime/log.ts";
import type { HeldLane } from "../runtime/outbox/held-by-hand.ts";
import type { EventReader } from "../runtime/runs/entry-event.ts";
import type { RuntimeEvents } from "../runtime/runtime-events.ts";
import type { ReadPort } from "../runtime/store/store.ts";
import { shell } from "../text/shell.ts";

export interface HeldAlarmNeeds {
  readonly log: Log;
  readonly events: Pick<RuntimeEvents, "publish">;
  readonly accountOf: (id: string) => Pick<LinkedAccount, "username"> | undefined;
  readonly usernameOf: (held: HeldLane) => Promise<string | undefined>;
}

/** Tells the operator whose answers are held back, why, and what lets them go. */
export function heldAlarm(needs: HeldAlarmNeeds): (held: HeldLane) => Promise<void> {
  const { log, events, accountOf } = needs;
  return async (held) => {
    const { account, lane, reason } = held;
    const person = personOf(lane);
    const username = (await needs.usernameOf(held)) ?? accountOf(person)?.username;
    const fix = shell`answerback resume --person ${username ?? person}`;
    const whose = `answers of @${accountOf(account)?.username ?? account} to ${username === undefined ? person : `@${username}`}`;
    log.warn({ account, person, lane }, `${whose} are held back: ${reason}; to send them: ${fix}`);
    events.publish({ type: "answers-held", data: { account, person, lane, reason, fix } });
  };
}

/** Finds out the handle of whoever a lane answers, from the event that is answered there. */
export function personNames(
  store: Pick<ReadPort, "journal">,
  reader: Pick<EventReader, "eventOf">,
): (held: Pick<HeldLane, "seq" | "lane">) => Promise<string | undefined> {
  return async ({ seq, lane }) => {
    const [row] = await store.journal({ seq, limit: 1 });
    if (row === undefined) return undefined;
    const event = reader.eventOf(row);
    const isTheirs = "sender" in event && event.sender.id === personOf(lane);
    return isTheirs ? event.sender.username : undefined;
  };
}
