import type { Trigger, TRIGGER_FACTS } from "./triggers.ts";

/**
 * Everything that can happen to a subscribed account.
 *
 * One event is one array element of a delivery. It has one `kind` (what came over the wire) and a
 * set of `triggers` (what a rule may call it): a reply that mentions the account is one event with
 * `post.replied` and `post.mentioned`.
 */
export type AccountEvent =
  | MessageEvent
  | TypingEvent
  | ReadEvent
  | PostEvent
  | PostDeletedEvent
  | LikeEvent
  | RelationEvent
  | RevokedEvent
  | ReplayFinishedEvent
  | CountEvent
  | ScheduleEvent
  | AnswerByHandEvent
  | LinkLostEvent
  | LinkRestoredEvent
  | UnrecognisedEvent;

/** Decimal digits as text: platform ids pass 2^53 and would lose their end as numbers. */
export type UserId = string;
/** Decimal digits as text. */
export type PostId = string;

/** `inbound`: another person did it. `outbound`: the subscribed account itself did. */
export type Direction = "inbound" | "outbound";

interface Occurred {
  /**
   * The same for every copy of this event, different for any two events of one account: the
   * platform's id where the payload has one, else kind, people and timestamp.
   */
  readonly key: string;
  /**
   * User id of the subscribed account the event belongs to, not of the person who acted. Empty for
   * what belongs to the webhook itself: the end of a replay job.
   */
  readonly accountId: UserId;
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly at: number;
  readonly direction: Direction;
  /** What must stay in order: the account and the person it deals with, as `account/person`. */
  readonly lane: string;
  /** Names under which rules and bots listen. Empty when the language has no word for the event. */
  readonly triggers: readonly Trigger[];
}

/** A person as an event shows them. Only `id` is always known. */
export interface Person {
  readonly id: UserId;
  /** The handle, without `@`. */
  readonly username?: string;
  readonly name?: string;
  readonly description?: string;
  readonly location?: string;
  readonly url?: string;
  readonly followersCount?: number;
  readonly followingCount?: number;
  readonly postCount?: number;
  readonly verified?: boolean;
  readonly protected?: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt?: number;
}

/** A direct message, received or sent by the account. */
export interface MessageEvent extends Occurred {
  readonly kind: "message";
  /** Who wrote it. */
  readonly sender: Person;
  readonly message: Message;
}

/** What was written, and between whom. */
export interface Message {
  readonly id: string;
  /** As it was written: nothing escaped, links as they lead, none of those that the platform adds. */
  readonly text: string;
  /** As the platform sent it, where that is another text. */
  readonly rawText?: string;
  readonly senderId: UserId;
  readonly recipientId: UserId;
  /** `smaller-larger` of the two user ids. */
  readonly conversationId: string;
  /** App that sent it, where an app did. */
  readonly sourceAppId?: string;
  readonly hashtags: readonly string[];
  readonly urls: readonly string[];
  readonly mentions: readonly Mention[];
  /** URL of the attached picture or video. */
  readonly mediaUrl?: string;
}

/** A person named in a text. */
export interface Mention {
  readonly id: UserId;
  readonly username: string;
}

/** Somebody types to the account. */
export interface TypingEvent extends Occurred {
  readonly kind: "typing";
  readonly sender: Person;
}

/** Somebody has read the conversation. */
export interface ReadEvent extends Occurred {
  readonly kind: "read";
  readonly sender: Person;
  /** The last message event they have read. */
  readonly lastReadId: string;
}

/** A post, reply, quote or repost by or about the account. */
export interface PostEvent extends Occurred {
  readonly kind: "post";
  /** The author. */
  readonly sender: Person;
  readonly post: PostSnapshot;
  /** The account has blocked the author. Known on mentions only. */
  readonly senderIsBlocked?: boolean;
}

/** A post, reply, quote or repost as an event shows it. */
export interface PostSnapshot {
  readonly id: PostId;
  /**
   * The author's own words, longform included, written as in {@link Message}: without the handles of the thread, and
   * in a post to the account without the handle by which it is addressed (`@hello_bot status` → `status`).
   */
  readonly text: string;
  /** The text with the handles before it, where it has any. */
  readonly fullText?: string;
  /** As the platform sent it, where that is another text. */
  readonly rawText?: string;
  readonly author: Person;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly inReplyToPostId?: PostId;
  readonly inReplyToUserId?: UserId;
  readonly quoted?: PostSnapshot;
  readonly reposted?: PostSnapshot;
  /** People whom the author names. */
  readonly mentions: readonly Mention[];
  /** People whose handles the reply inherits from its thread; the author did not type them. */
  readonly threadMentions: readonly Mention[];
  readonly hashtags: readonly string[];
  readonly urls: readonly string[];
  readonly lang?: string;
  readonly sensitive?: boolean;
  /** Ids of its versions up to this one, the first one first. Absent where it was not edited. */
  readonly versions?: readonly PostId[];
  /** The author's words in the version received before. Only in `post.edited`. */
  readonly formerText?: string;
}

/** A post was deleted. */
export interface PostDeletedEvent extends Occurred {
  readonly kind: "post_deleted";
  /** The author, known by id only. */
  readonly sender: Person;
  readonly postId: PostId;
}

/** Somebody liked a post of the account, or the account liked one. */
export interface LikeEvent extends Occurred {
  readonly kind: "like";
  readonly sender: Person;
  readonly post: PostSnapshot;
}

/** What one person can begin or end towards another. */
export const RELATIONS = ["follow", "unfollow", "block", "unblock", "mute", "unmute"] as const;
/** One of {@link RELATIONS}. */
export type Relation = (typeof RELATIONS)[number];

/** Somebody followed, blocked or muted somebody, or undid it. */
export interface RelationEvent extends Occurred {
  readonly kind: "relation";
  readonly relation: Relation;
  /** Who did it. */
  readonly sender: Person;
  /** To whom. */
  readonly target: Person;
}

/** A person took the app's authorization away; the subscription ended with it. */
export interface RevokedEvent extends Occurred {
  readonly kind: "revoked";
  readonly sender: Person;
  readonly appId: string;
}

/** A replay job ended. */
export interface ReplayFinishedEvent extends Occurred {
  readonly kind: "replay_finished";
  readonly webhookId: string;
  readonly jobId: string;
  /** `false`: not every event was delivered again, the job should be retried. */
  readonly complete: boolean;
}

/** What a rule counts has come to a number. It follows from another event, in the same transaction. */
export interface CountEvent extends Occurred {
  readonly kind: "count";
  /** Whose doing was counted. */
  readonly sender: Person;
  readonly count: CountReached;
}

/** A count and the number that it has come to. */
export interface CountReached {
  /** As the step `count` names it. */
  readonly name: string;
  readonly value: number;
  /** Keys of the events that were counted, oldest first; the latest hundred. */
  readonly events: readonly string[];
  /** Text that is counted for itself; absent where the count has no key. */
  readonly key?: string;
  /** Different people who were counted; absent in runs that an earlier version has started. */
  readonly people?: number;
}

/** A moment that a rule's schedule names has come. */
export interface ScheduleEvent extends Occurred {
  readonly kind: "schedule";
  readonly schedule: ScheduledMoment;
  /** A clock that was moved by hand has passed over it: it is never too old. */
  readonly passedByHand: boolean;
}

/** Which of a rule's schedules it is. */
export interface ScheduledMoment {
  /** Id of the rule. */
  readonly rule: string;
  readonly cron: string;
  readonly zone: string;
}

/** An operator answers a person as the account. Rules and bots are not asked. */
export interface AnswerByHandEvent extends Occurred {
  readonly kind: "answer_by_hand";
  readonly answer: WrittenByHand;
}

/** Answer that an operator wrote. */
export interface WrittenByHand {
  /** User id of the person. */
  readonly to: UserId;
  /** Handle of the person, without `@`. */
  readonly username?: string;
  readonly text: string;
  /** Name of the operator. */
  readonly by: string;
  /** Number in the journal of the message or post that is answered. */
  readonly answers: number;
  /** Post that is answered in public. Absent: the answer is a direct message. */
  readonly inReplyTo?: PostId;
}

/** The platform's events of the account come no more: the webhook, the subscription or polling fails. */
export interface LinkLostEvent extends Occurred {
  readonly kind: "link_lost";
  readonly link: LinkOutage;
}

/** They come again. */
export interface LinkRestoredEvent extends Occurred {
  readonly kind: "link_restored";
  readonly link: LinkOutage;
}

/** A time in which no events of an account came. */
export interface LinkOutage {
  /** The last time at which they surely came, in milliseconds since the epoch. */
  readonly since: number;
  /** Why they did not come, as the log has it. */
  readonly reason: string;
}

/** Something signed by the platform that this version has no word for. Kept, and acted on by nobody. */
export interface UnrecognisedEvent extends Occurred {
  readonly kind: "unrecognised";
  /** What could not be read, and where. */
  readonly reason: string;
}

/** The event that each trigger carries. */
export type TriggerEvents = {
  readonly [T in Trigger]: Extract<
    AccountEvent,
    { readonly kind: (typeof TRIGGER_FACTS)[T]["kind"] }
  >;
};

/** The event carried by trigger `T`. */
export type EventOf<T extends Trigger> = TriggerEvents[T];
