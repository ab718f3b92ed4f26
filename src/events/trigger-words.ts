import { type Trigger, TRIGGERS } from "./triggers.ts";

/** Words that add no meaning to the name of an event, such as `on` or `event`. */
const NOISE: ReadonlySet<string> = new Set(
  "on,new,when,if,received,receive,created,create,event,events,incoming,inbound,user,tweet,post,a,any".split(
    ",",
  ),
);

const MEANT: readonly (readonly [Trigger, string])[] = [
  [
    "dm.received",
    "message,messages,dm,dms,direct.message,direct.messages,private.message,text,chat",
  ],
  ["post.mentioned", "mention,mentions,mentioned"],
  ["post.replied", "reply,replies,replied,comment,commented"],
  ["post.quoted", "quote,quotes,quoted"],
  ["post.reposted", "repost,reposts,reposted,retweet,retweets,retweeted,share,shared"],
  ["post.liked", "like,likes,liked,favorite,favorited,favourite,favourited"],
  ["post.edited", "edit,edits,edited"],
  ["user.followed", "follow,follows,followed,follower,followers"],
  ["user.unfollowed", "unfollow,unfollows,unfollowed"],
  ["user.blocked", "block,blocked"],
  ["user.unblocked", "unblock,unblocked"],
  ["user.muted", "mute,muted"],
  ["user.unmuted", "unmute,unmuted"],
  ["dm.typing", "typing,dm.typing"],
  ["dm.read", "read,seen"],
];
const BY_WORD: ReadonlyMap<string, Trigger> = new Map(
  MEANT.flatMap(([trigger, words]) => words.split(",").map((word) => [word, trigger] as const)),
);

/** Returns the trigger that a word of another tool means: `new_message`, `on_follow`, `tweet.mention`. */
export function triggerWord(word: string): Trigger | undefined {
  const ownTrigger = TRIGGERS.find((one) => one === word);
  if (ownTrigger !== undefined) return ownTrigger;
  const parts = word
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ".")
    .toLowerCase()
    .split(/[\s._-]+/);
  const joined = TRIGGERS.find((one) => one === parts.join("."));
  if (joined !== undefined) return joined;
  const telling = parts.filter((part) => !NOISE.has(part));
  return BY_WORD.get(telling.join("."));
}
