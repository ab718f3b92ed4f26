import { describeAction } from "../../actions/actions.ts";
import type { AccountEvent, MessageEvent } from "../../events/event.ts";
import { ERASED, WITHDRAWN } from "../../runtime/records.ts";
import type { Answers } from "../../runtime/vocabulary.ts";

type Row = Answers["journal"][number];
type Item = Answers["outbox"][number];

/** A difference between the journal, the outbox and the platform. */
export interface Disagreement {
  /**
   * `unanswered`: an expected answer was not sent, or the platform does not show it. `doubled`: the platform shows the
   * same answer twice. `untold`: the platform shows something that the bot has not received.
   */
  readonly kind: "unanswered" | "doubled" | "untold";
  /** User id of the bot account. */
  readonly account: string;
  readonly lane: string;
  /** Time of the event or answer in ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly reason: string;
  /** Number of the event in the journal. */
  readonly seq?: number;
  /** Number of the answer in the outbox. */
  readonly item?: number;
  /**
   * Platform id of a message that was found on the platform; absent for posts, and for differences found in the stored
   * data.
   */
  readonly platformId?: string;
}

export interface Compared {
  /** Journal entries of the compared time, and of the hour before. */
  readonly rows: readonly Row[];
  /** Outbox items of the entries in `rows`. */
  readonly items: readonly Item[];
  /** Platform ids of `items`, and of the answers that older runs have sent in the compared time. */
  readonly sentIds: ReadonlySet<string>;
  /** Messages and mentions that the platform shows for the compared time, oldest first. */
  readonly shown: readonly AccountEvent[];
  /** User ids of the accounts whose messages could be read. */
  readonly read: ReadonlySet<string>;
  /** Start of the compared time, by the platform's clock. Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

/**
 * Time in milliseconds for an event to be decided and its answer sent. Younger events are not reported as unanswered.
 */
const UNDER_WAY_MS = 5 * 60_000;
/** Tolerance in milliseconds for comparing times: the platform shows whole seconds, and a request may take seconds. */
const SLACK_MS = 10_000;
/** Parts of reasons that mark an item as deliberately not sent. */
const ON_PURPOSE = [WITHDRAWN, ERASED, "by the operator", "has opted out"];

/** Whether an item with this reason was deliberately not sent. */
export function isOnPurpose(reason: string | undefined): boolean {
  return ON_PURPOSE.some((text) => reason?.includes(text) === true);
}

/** Lists the differences of all three kinds, oldest first. */
export function compare(comparison: Compared): readonly Disagreement[] {
  const all = [...unanswered(comparison), ...doubled(comparison), ...untold(comparison)];
  return all.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function unanswered({ rows, items, shown, read, from, to }: Compared): Disagreement[] {
  const inTime = new Map(rows.filter(({ at }) => at >= from).map((row) => [row.seq, row]));
  const shownIds = new Set(messagesIn(shown).map(({ message }) => message.id));
  const decided = items.flatMap((item): Disagreement[] => {
    const row = inTime.get(item.seq);
    const reason = row && whyUnsent(item, { row, to, isRead: read.has(item.account), shownIds });
    if (row === undefined || reason === undefined) return [];
    return [{ ...placeOf("unanswered", row), item: item.id, reason }];
  });
  const open = [...inTime.values()].flatMap((row): Disagreement[] => {
    if (row.state === "dead-lettered") {
      return [{ ...placeOf("unanswered", row), reason: "the decision about this event failed" }];
    }
    if (row.state !== "open" || to - row.at < UNDER_WAY_MS) return [];
    return [{ ...placeOf("unanswered", row), reason: "the event waits for its decision" }];
  });
  return [...decided, ...open];
}

interface Sight {
  readonly row: Row;
  readonly to: number;
  readonly isRead: boolean;
  readonly shownIds: ReadonlySet<string>;
}

function whyUnsent(item: Item, { row, to, isRead, shownIds }: Sight): string | undefined {
  const { status, action, platformId, reason = status } = item;
  const what = describeAction(action);
  if (status === "sent") {
    const isMessage = action.type === "reply_dm" && platformId !== undefined;
    if (!isMessage || !isRead || shownIds.has(platformId)) return undefined;
    return `sent as ${platformId}, which the platform does not show: ${what}`;
  }
  if (isOnPurpose(reason)) return undefined;
  const mayBeSent = status === "pending" || status === "sending" || status === "unknown";
  if (mayBeSent && to - row.at < UNDER_WAY_MS) return undefined;
  return `${status}, ${reason}: ${what}`;
}

/** Returns messages that only the platform has. Equal items are intended: the store drops an item whose key exists. */
function doubled({ items, sentIds, shown, from }: Compared): Disagreement[] {
  const sent = items.filter(({ status }) => status === "sent");
  return ownMessages(shown, from).flatMap((event): Disagreement[] => {
    if (sentIds.has(event.message.id)) return [];
    const twin = sent.find((item) => isAnswer(item, event));
    if (twin === undefined) return [];
    const reason = `the same as answer ${twin.id}: ${describeAction(twin.action)}`;
    return [{ ...shownPlace("doubled", event), seq: twin.seq, item: twin.id, reason }];
  });
}

function untold({ rows, items, sentIds, shown, from, to }: Compared): Disagreement[] {
  const keys = new Set(rows.map(({ account, key }) => `${account} ${key}`));
  return shown.flatMap((event): Disagreement[] => {
    if (event.at < from || to - event.at < SLACK_MS) return [];
    if (keys.has(`${event.accountId} ${event.key}`)) return [];
    if (event.direction !== "outbound") {
      return [{ ...shownPlace("untold", event), reason: `the bot never saw this ${event.kind}` }];
    }
    if (event.kind !== "message" || sentIds.has(event.message.id)) return [];
    if (items.some((item) => isAnswer(item, event))) return [];
    const reason = "a message of the account that the bot did not send, and never saw";
    return [{ ...shownPlace("untold", event), reason }];
  });
}

/** Whether a message has the item's text and recipient, and was sent at about the same time as the item. */
function isAnswer({ action, account, startedAt }: Item, event: MessageEvent): boolean {
  if (action.type !== "reply_dm" || account !== event.accountId) return false;
  if (action.to !== event.message.recipientId || action.text !== event.message.text) return false;
  return startedAt === undefined || Math.abs(startedAt - event.at) < 2 * UNDER_WAY_MS;
}

function messagesIn(events: readonly AccountEvent[]): readonly MessageEvent[] {
  return events.filter((event): event is MessageEvent => event.kind === "message");
}

function ownMessages(shown: readonly AccountEvent[], from: number): readonly MessageEvent[] {
  return messagesIn(shown).filter(({ direction, at }) => direction === "outbound" && at >= from);
}

function placeOf(kind: Disagreement["kind"], { account, lane, at, seq }: Row) {
  return { kind, account, lane, at: new Date(at).toISOString(), seq };
}

function shownPlace(kind: Disagreement["kind"], event: AccountEvent) {
  const { accountId: account, lane, at } = event;
  const id = event.kind === "message" ? event.message.id : undefined;
  return {
    kind,
    account,
    lane,
    at: new Date(at).toISOString(),
    ...(id !== undefined && { platformId: id }),
  };
}
