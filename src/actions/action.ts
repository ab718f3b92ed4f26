/**
 * Something the bot does on the platform, as data: rules and bots give actions, the outbox sends them.
 */
export type Action = ReplyDm | ReplyPost | LikePost | FollowUser;

/** A direct message to one person. */
export interface ReplyDm {
  readonly type: "reply_dm";
  /** User id of the recipient. */
  readonly to: string;
  /** 1 character or more. */
  readonly text: string;
}

/** A post in answer to a post. */
export interface ReplyPost {
  readonly type: "reply_post";
  /** Id of the post that is answered. */
  readonly inReplyTo: string;
  /** User id of that post's author: decides the lane. */
  readonly to: string;
  readonly text: string;
}

/** A like of a post; liking again changes nothing. */
export interface LikePost {
  readonly type: "like";
  readonly postId: string;
  /** User id of the post's author: decides the lane. */
  readonly to: string;
}

/** Following a person; following again changes nothing. */
export interface FollowUser {
  readonly type: "follow";
  readonly to: string;
}

/** The name of an action, as rules write it. */
export type ActionType = Action["type"];

/** What a person or a test reads of an action, in one line. */
export function describeAction(action: Action): string {
  switch (action.type) {
    case "reply_dm":
      return `message to ${action.to}: ${action.text}`;
    case "reply_post":
      return `reply to post ${action.inReplyTo}: ${action.text}`;
    case "like":
      return `like of post ${action.postId}`;
    case "follow":
      return `follow of ${action.to}`;
  }
}
