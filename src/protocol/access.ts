/** Permission levels of an app, as the header `x-access-level` spells them, weakest first. */
export const ACCESS_LEVELS = ["read", "read-write", "read-write-directmessages"] as const;

export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** Scopes of OAuth 2.0 user tokens, with `tweet` in their names: the live service spells them so in both dialects. */
export const SCOPES = [
  "tweet.read",
  "tweet.write",
  "tweet.moderate.write",
  "users.email",
  "users.read",
  "follows.read",
  "follows.write",
  "offline.access",
  "space.read",
  "mute.read",
  "mute.write",
  "like.read",
  "like.write",
  "list.read",
  "list.write",
  "block.read",
  "block.write",
  "bookmark.read",
  "bookmark.write",
  "dm.read",
  "dm.write",
  "media.write",
  "timeline.read",
  "broadcast.read",
  "broadcast.write",
] as const;

export type OAuthScope = (typeof SCOPES)[number];

/**
 * Scopes that the dialects spell differently. The key is in the post dialect. The value is sent in both dialects,
 * because the live service accepts no other spelling.
 */
export const SCOPE_WORDS = {
  "post.read": "tweet.read",
  "post.write": "tweet.write",
  "post.moderate.write": "tweet.moderate.write",
} as const satisfies Readonly<Record<string, OAuthScope>>;
