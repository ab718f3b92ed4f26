import type { AccessLevel, OAuthScope } from "../../../protocol/access.ts";
import { ACCESS_LEVELS } from "../../../protocol/access.ts";

/** Permissions that an app has and lacks. Each text completes a sentence such as "It will be able to …". */
export interface Permissions {
  readonly may: readonly string[];
  readonly mayNot: readonly string[];
}

const BY_LEVEL: Readonly<Record<AccessLevel, readonly string[]>> = {
  read: [
    "see posts in your timeline, protected ones included",
    "see your profile, your lists and whom you follow, mute and block",
  ],
  "read-write": [
    "publish and delete posts for you, and like, repost and reply for you",
    "follow and unfollow accounts for you",
    "mute and block accounts for you",
    "change your profile and hide replies to your posts",
  ],
  "read-write-directmessages": [
    "read your direct messages",
    "send and delete direct messages for you",
  ],
};

const EMAIL = "see your email address";
const PASSWORD = "see your password";

/** Describes an access level. Source: "App permission levels (OAuth 1.0a)" of the interface. */
export function permissionsOfLevel(level: AccessLevel, email: boolean): Permissions {
  const reach = ACCESS_LEVELS.indexOf(level);
  const words = (levels: readonly AccessLevel[]): string[] =>
    levels.flatMap((one) => BY_LEVEL[one]);
  return {
    may: [...words(ACCESS_LEVELS.slice(0, reach + 1)), ...(email ? [EMAIL] : [])],
    mayNot: [...words(ACCESS_LEVELS.slice(reach + 1)), ...(email ? [] : [EMAIL]), PASSWORD],
  };
}

const BY_SCOPE: Readonly<Record<OAuthScope, string>> = {
  "tweet.read": "see all posts that you can see, protected ones included",
  "tweet.write": "publish, repost and delete posts for you",
  "tweet.moderate.write": "hide and show replies to your posts",
  "users.email": EMAIL,
  "users.read": "see your profile and any account that you can see",
  "follows.read": "see whom you follow and who follows you",
  "follows.write": "follow and unfollow accounts for you",
  "offline.access": "stay connected until you remove it, also while you are away",
  "space.read": "see the audio spaces that you can see",
  "mute.read": "see which accounts you have muted",
  "mute.write": "mute and unmute accounts for you",
  "like.read": "see the posts that you liked",
  "like.write": "like and unlike posts for you",
  "list.read": "see your lists, private ones included",
  "list.write": "create and change lists for you",
  "block.read": "see which accounts you have blocked",
  "block.write": "block and unblock accounts for you",
  "bookmark.read": "see your bookmarks",
  "bookmark.write": "add and remove bookmarks for you",
  "dm.read": "read your direct messages",
  "dm.write": "send and delete direct messages for you",
  "media.write": "upload pictures and videos for you",
  "timeline.read": "see the custom timelines that you can see",
  "broadcast.read": "see your live broadcasts and their chat",
  "broadcast.write": "run live broadcasts and write in their chat for you",
};

/** Describes scopes in plain words. Missing permissions are listed for posts, messages, email and password only. */
export function permissionsOfScopes(scopes: readonly OAuthScope[]): Permissions {
  const notable: readonly OAuthScope[] = ["tweet.write", "dm.read", "dm.write", "users.email"];
  return {
    may: scopes.map((scope) => BY_SCOPE[scope]),
    mayNot: [
      ...notable.filter((scope) => !scopes.includes(scope)).map((scope) => BY_SCOPE[scope]),
      PASSWORD,
    ],
  };
}
