import type { ActionType } from "../../../actions/actions.ts";
import { isAnswering } from "../../../actions/answering.ts";
import type { AccountEvent } from "../../../events/event.ts";
import { contentHash } from "../../../system/content-hash.ts";
import { fold } from "../../../text/fold.ts";
import { isLate } from "../entry-event.ts";
import type { AnswerLimit } from "../../store/answer-limit.ts";
import type { Entry } from "../../store/entry.ts";
import type { NewItem } from "../../store/item.ts";

/** Maximum number of answers (`max`) within a time (`inMs`). */
export interface ReplyLimit {
  readonly max: number;
  readonly inMs: number;
  /** Limit as written in the settings: `30 in 10m`. */
  readonly written: string;
}

/** Limits above which an account's answers are held. An absent member is no limit. */
export interface ReplyLimits {
  /** Answers to one person. */
  readonly replies?: ReplyLimit;
  /**
   * Answers to another account that is served here. Without a limit, two such accounts could answer each other forever.
   */
  readonly loop?: ReplyLimit;
  /** Equal answers to one person. */
  readonly equalReplies?: ReplyLimit;
  /** Equal posts of the account, to any receivers. */
  readonly equalPosts?: ReplyLimit;
}

/** Data from which the limits that apply to an item are determined. */
export interface ReplyLimitContext {
  /** Limits of the account. */
  readonly limits: ReplyLimits;
  /** Whether the receiver is another account that is served here. */
  readonly isOwn: boolean;
  /** Event that the outbox item answers. */
  readonly event: AccountEvent;
}

/**
 * Returns `item` with the limits that it counts against; unchanged if it is no answer. Pure: the limits are checked in
 * the transaction that queues the item.
 *
 * @param entry Entry of the event that the item answers. The item counts at the time of that event. After a late
 *   event (replay, backfill), equal answers are not limited.
 */
export function withLimits(item: NewItem, entry: Entry, context: ReplyLimitContext): NewItem {
  const { type } = item.action;
  if (!isAnswering(type)) return item;
  const { replies, loop, equalReplies, equalPosts } = context.limits;
  const limits = [
    // A new post (`create_post`) is no answer to another account, so it can't be part of a loop.
    ...(type === "create_post"
      ? []
      : context.isOwn
        ? limitsFrom("answers", loop, LOOP)
        : limitsFrom("answers", replies, REPLIES)),
    ...(PUBLIC.has(type)
      ? limitsFrom("equal-posts", equalPosts, EQUAL_POSTS)
      : limitsFrom(
          "equal-answers",
          isNoLoop(item, entry) ? undefined : equalReplies,
          EQUAL_REPLIES,
        )),
  ];
  if (limits.length === 0) return item;
  const isCompared = limits.some(({ of }) => of === "equal-answers");
  const heard = isCompared ? heardIn(context.event) : undefined;
  const counted = { at: entry.at, limits, ...(heard !== undefined && { heard }) };
  return { ...item, counted };
}

/** Returns a hash of the event's text, equal for texts that conditions treat as equal. */
function heardIn(event: AccountEvent): string | undefined {
  const text =
    event.kind === "message" ? event.message.text : event.kind === "post" ? event.post.text : "";
  const folded = fold(text).trim();
  return folded === "" ? undefined : contentHash(folded).slice(0, HEARD_LENGTH);
}

/** Length to which the hash is cut: it only has to distinguish the few texts of one person. */
const HEARD_LENGTH = 12;

/**
 * Whether an answer can't be part of an endless loop of two bots: the event is a late one (replay, backfill) and comes
 * once, or the person has replied to a question of the run.
 */
function isNoLoop({ seq, heardAt }: NewItem, entry: Entry): boolean {
  return isLate(entry) || seq !== entry.seq || (heardAt ?? entry.at) > entry.at;
}

const PUBLIC: ReadonlySet<ActionType> = new Set(["reply_post", "quote", "create_post"]);

const REPLIES = "to one person (limits.replies)";
const LOOP = "to another account of this bot, which may answer for ever (limits.loop)";
const EQUAL_REPLIES = "with this text to one person (limits.equal_replies)";
const EQUAL_POSTS = "with this text in public (limits.equal_posts)";

function limitsFrom(
  of: AnswerLimit["of"],
  limit: ReplyLimit | undefined,
  what: string,
): readonly AnswerLimit[] {
  if (limit === undefined) return [];
  const { max, inMs, written } = limit;
  return [{ of, max, inMs, reason: `more than ${written} ${what}` }];
}
