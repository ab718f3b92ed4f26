import type { AccountEvent } from "../event.ts";
import type { EventKind } from "./event-kind.ts";
import { answerByHand } from "./answer-by-hand.ts";
import { count } from "./count.ts";
import { like } from "./like.ts";
import { linkLost, linkRestored } from "./link.ts";
import { message } from "./message.ts";
import { postDeleted } from "./post-deleted.ts";
import { read, typing } from "./message-signals.ts";
import { post } from "./post.ts";
import { relation } from "./relation.ts";
import { replayFinished } from "./replay-finished.ts";
import { revoked } from "./revoked.ts";
import { schedule } from "./schedule.ts";
import { unrecognised } from "./unrecognised.ts";

/** Name of an event's kind, which determines its fields. */
export type EventKindName = AccountEvent["kind"];

/** Descriptions of all kinds of events, by name. */
export const EVENT_KINDS: {
  readonly [K in EventKindName]: EventKind<Extract<AccountEvent, { readonly kind: K }>>;
} = {
  message,
  typing,
  read,
  post,
  post_deleted: postDeleted,
  like,
  relation,
  revoked,
  replay_finished: replayFinished,
  count,
  schedule,
  answer_by_hand: answerByHand,
  link_lost: linkLost,
  link_restored: linkRestored,
  unrecognised,
};

/** Names of all kinds of events. */
export const EVENT_KIND_NAMES: readonly EventKindName[] =
  Object.keys(EVENT_KINDS).filter(isKindName);

function isKindName(name: string): name is EventKindName {
  return Object.hasOwn(EVENT_KINDS, name);
}

/** Description of the kind `name`. */
export function eventKind(name: EventKindName): EventKind<AccountEvent> {
  return EVENT_KINDS[name];
}

/** User id of the other person in `event`, besides the account. */
export function counterpartOf(event: AccountEvent): string | undefined {
  return eventKind(event.kind).counterpart(event);
}
