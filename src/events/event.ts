import type { Trigger, TRIGGER_FACTS } from "./triggers.ts";

/**
 * An event of a subscribed account.
 *
 * An event is one array element of a delivery. It has one `kind` (its form in the delivery) and a set of `triggers`
 * (its names in rules): a reply that mentions the account is one event with `post.replied` and `post.mentioned`.
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

/** Id as decimal digits in a text: platform ids exceed 2^53 and would lose precision as numbers. */
export type UserId = string;
/** Id of a post, as decimal digits in a text. */
export type PostId = string;

/** `inbound`: another person acted. `outbound`: the subscribed account acted. */
export type Direction = "inbound" | "outbound";

interface Occurred {
  /**
   * Deduplication key: the same for every copy of an event, different for any two events of an account. It contains the
   * platform's id if the payload has one, else kind, people and timestamp.
   */
  readonly key: string;
  /**
   * User id of the subscribed account that received the event, which may differ from the acting person. Empty for
   * events of the webhook itself: the end of a replay job.
   */
  readonly accountId: UserId;
  /** Time of the event in milliseconds since the epoch, by the platform's clock. */
  readonly at: number;
  readonly direction: Direction;
  /** Ordering key: `account/person`, the account and the other person; in a group `account/group:id`. */
  readonly lane: string;
  /** Names of the event for rules and bots. Empty if the rule language has no name for it. */
  readonly triggers: readonly Trigger[];
}

/** A person as shown in an event. Only `id` is always present. */
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
  /** Number of public lists that contain the person. */
  readonly listedCount?: number;
  /** Number of posts that the person likes. */
  readonly likeCount?: number;
  readonly profileImageUrl?: string;
  readonly verified?: boolean;
  readonly protected?: boolean;
  /** Creation of the person's account in milliseconds since the epoch. */
  readonly createdAt?: number;
}

/** A direct message, received or sent by the account. */
export interface MessageEvent extends Occurred {
  readonly kind: "message";
  /** Author of the message. */
  readonly sender: Person;
  readonly message: Message;
}

/** Kinds of conversations: `private` has two people, `group` has several. */
export const CONVERSATION_KINDS = ["private", "group"] as const;
/** Kind of conversation: one of {@link CONVERSATION_KINDS}. */
export type ConversationKind = (typeof CONVERSATION_KINDS)[number];

/** Content and participants of a direct message. */
export interface Message {
  readonly id: string;
  /** Text with entities decoded, links expanded, and links that the platform added removed. */
  readonly text: string;
  /** Text as the platform sent it; absent if it equals `text`. */
  readonly rawText?: string;
  readonly senderId: UserId;
  /** User id of the receiver. In a group: the account, if it received the message, else the id of the conversation. */
  readonly recipientId: UserId;
  /** Id of the conversation: the two user ids as `smaller-larger`; in a group, digits. */
  readonly conversationId: string;
  readonly conversationKind: ConversationKind;
  /** User ids of the participants. For a group read from the data interface, only those that the interface reports. */
  readonly participants: readonly UserId[];
  /** Id of the app that sent the message, if any. */
  readonly sourceAppId?: string;
  /** Name of the sending app. Present in webhook deliveries only. */
  readonly sourceAppName?: string;
  /** Website of the sending app. */
  readonly sourceAppUrl?: string;
  readonly hashtags: readonly string[];
  /** Stock symbols in the text, without `$`. Absent in runs that an earlier version of the program started. */
  readonly cashtags?: readonly string[];
  readonly urls: readonly string[];
  readonly mentions: readonly Mention[];
  /** URL of the attached picture or video. */
  readonly mediaUrl?: string;
  /** Type of the attached media: `photo`, `video` or `animated_gif`. */
  readonly mediaType?: string;
}

/** A person named in a text. */
export interface Mention {
  readonly id: UserId;
  readonly username: string;
}

/** A person is typing a message to the account. */
export interface TypingEvent extends Occurred {
  readonly kind: "typing";
  readonly sender: Person;
}

/** A person has read the conversation. */
export interface ReadEvent extends Occurred {
  readonly kind: "read";
  readonly sender: Person;
  /** Id of the last message event that the person has read. */
  readonly lastReadId: string;
}

/** A post, reply, quote or repost by or about the account. */
export interface PostEvent extends Occurred {
  readonly kind: "post";
  /** Author of the post. */
  readonly sender: Person;
  readonly post: PostSnapshot;
  /** Whether the account has blocked the author. Present on mentions and replies only. */
  readonly senderIsBlocked?: boolean;
  /** Queries of `post.found` triggers whose search found the post. Absent if no search found it. */
  readonly foundBy?: readonly string[];
}

/** A post, reply, quote or repost as shown in an event. */
export interface PostSnapshot {
  readonly id: PostId;
  /**
   * The author's own text including longform, cleaned as in {@link Message}. The handles of the thread are removed. In
   * a post to the account, the handle that addresses it is removed too (`@hello_bot status` → `status`).
   */
  readonly text: string;
  /** The text including the handles before it; absent if there are none. */
  readonly fullText?: string;
  /** Text as the platform sent it. Absent if it equals `fullText`, or `text` if there is no `fullText`. */
  readonly rawText?: string;
  readonly author: Person;
  /** Creation of the post in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly inReplyToPostId?: PostId;
  readonly inReplyToUserId?: UserId;
  /** Handle of the person to whom the post replies, without `@`. */
  readonly inReplyToUsername?: string;
  /** Id of the quoted post, also if the account may not see that post. */
  readonly quotedPostId?: PostId;
  readonly quoted?: PostSnapshot;
  readonly reposted?: PostSnapshot;
  /** People mentioned by the author. */
  readonly mentions: readonly Mention[];
  /** People whose handles the platform copied from the thread into a reply. */
  readonly threadMentions: readonly Mention[];
  readonly hashtags: readonly string[];
  /** Stock symbols in the text, without `$`. Absent in runs that an earlier version of the program started. */
  readonly cashtags?: readonly string[];
  readonly urls: readonly string[];
  /** URLs of the post's pictures and videos. Absent if there are none. */
  readonly mediaUrls?: readonly string[];
  /** Types of the post's media, in the order of `mediaUrls`: `photo`, `video` or `animated_gif`. */
  readonly mediaTypes?: readonly string[];
  /** Name of the app that created the post. */
  readonly sourceAppName?: string;
  /** Website of the app that created the post. Present in webhook deliveries only. */
  readonly sourceAppUrl?: string;
  /** Number of reposts when the platform sent the event. The counters below are of the same time. */
  readonly repostCount?: number;
  readonly replyCount?: number;
  readonly likeCount?: number;
  readonly quoteCount?: number;
  readonly lang?: string;
  readonly sensitive?: boolean;
  /** Ids of the post's versions up to this one, oldest first. Absent if the post was not edited. */
  readonly versions?: readonly PostId[];
  /** The author's text in the previously received version. Only in `post.edited`. */
  readonly formerText?: string;
}

/** A post was deleted. */
export interface PostDeletedEvent extends Occurred {
  readonly kind: "post_deleted";
  /** Author of the deleted post. Only the id is known. */
  readonly sender: Person;
  readonly postId: PostId;
}

/** A person liked a post of the account, or the account liked a post. */
export interface LikeEvent extends Occurred {
  readonly kind: "like";
  readonly sender: Person;
  readonly post: PostSnapshot;
}

/** Actions of one person towards another. */
export const RELATIONS = ["follow", "unfollow", "block", "unblock", "mute", "unmute"] as const;
/** Kind of relation: one of {@link RELATIONS}. */
export type Relation = (typeof RELATIONS)[number];

/** A person followed, blocked or muted another person, or ended such a relation. */
export interface RelationEvent extends Occurred {
  readonly kind: "relation";
  readonly relation: Relation;
  /** Person who acted. */
  readonly sender: Person;
  /** Person whom the action affects. */
  readonly target: Person;
}

/** A person revoked the app's authorization, which ended the subscription. */
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
  /** Whether all events were delivered again; if not, retry the job. */
  readonly complete: boolean;
  /** The platform's sentence about the result. */
  readonly description?: string;
}

/** A count of a rule's step `count` has reached a number. Created in the transaction that handles the counted event. */
export interface CountEvent extends Occurred {
  readonly kind: "count";
  /** Person whose action was counted. */
  readonly sender: Person;
  readonly count: CountReached;
}

/** Value that a count has reached, with the counted events. */
export interface CountReached {
  /** Name of the count, from the rule's step `count`. */
  readonly name: string;
  readonly value: number;
  /** Keys of the latest hundred counted events, oldest first. */
  readonly events: readonly string[];
  /** Value of the step's `key`, if it has one: each value has its own count. */
  readonly key?: string;
  /** Number of different people counted; absent in runs that an earlier version of the program started. */
  readonly people?: number;
}

/** A time of a rule's schedule is reached. */
export interface ScheduleEvent extends Occurred {
  readonly kind: "schedule";
  readonly schedule: ScheduledMoment;
  /**
   * Whether this time has passed only because the clock was moved by hand. Such an event is never too old for a rule's
   * `max_age`.
   */
  readonly passedByHand: boolean;
}

/** Schedule of a rule that is due. */
export interface ScheduledMoment {
  /** Id of the rule. */
  readonly rule: string;
  readonly cron: string;
  readonly zone: string;
}

/** An operator answers a person in the name of the account. The event bypasses rules and bots. */
export interface AnswerByHandEvent extends Occurred {
  readonly kind: "answer_by_hand";
  readonly answer: WrittenByHand;
}

/** An operator's answer. */
export interface WrittenByHand {
  /** User id of the person. */
  readonly to: UserId;
  /** Handle of the person, without `@`. */
  readonly username?: string;
  readonly text: string;
  /** Name of the operator. */
  readonly by: string;
  /** Journal number of the answered message or post. */
  readonly answers: number;
  /** Post to be answered in public. Absent: the answer is a direct message. */
  readonly inReplyTo?: PostId;
  /** Id of the group in which the direct message is sent. Absent: the message is private. */
  readonly conversation?: string;
}

/** The platform's events of the account have stopped: the webhook, the subscription or polling fails. */
export interface LinkLostEvent extends Occurred {
  readonly kind: "link_lost";
  readonly link: LinkOutage;
}

/** The platform's events of the account have resumed. */
export interface LinkRestoredEvent extends Occurred {
  readonly kind: "link_restored";
  readonly link: LinkOutage;
}

/** Outage during which no events of the account arrive. */
export interface LinkOutage {
  /** Last time at which events certainly arrived, in milliseconds since the epoch. */
  readonly since: number;
  /** Reason for the outage, as in the log. */
  readonly reason: string;
}

/** Signed content of the platform that this version can't read. It is stored; neither rules nor bots handle it. */
export interface UnrecognisedEvent extends Occurred {
  readonly kind: "unrecognised";
  /** Description of the unreadable part. */
  readonly reason: string;
}

/** TypeScript type of the events of each trigger. */
export type TriggerEvents = {
  readonly [T in Trigger]: Extract<
    AccountEvent,
    { readonly kind: (typeof TRIGGER_FACTS)[T]["kind"] }
  >;
};

/** TypeScript type of the events with trigger `T`. */
export type EventOf<T extends Trigger> = TriggerEvents[T];
