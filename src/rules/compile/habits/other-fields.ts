import { ownMember } from "../../../system/own-member.ts";

/** Names of other tools for the sender of a message or post. */
const PERSON =
  /^(?:(?:message|msg|event|tweet|post|status)\.)?(?:user|from|author|sender|member|contact|customer|actor)(?=\.|$)/;
/** Matches what other tools put in front of an event's fields, such as `json.`, `event.` or `payload.`. */
const WRAPPERS =
  /^(?:\$?json|github\.event|trigger\.(?:event\.data|event|body|data|payload)|trigger|event\.data|event|payload|data|context|ctx|update|body|input|slots?|session)\./;
const LEAVES: Readonly<Record<string, string>> = {
  body: "text",
  content: "text",
  msg: "text",
  message: "text",
  handle: "username",
  screen_name: "username",
  login: "username",
  user_name: "username",
  nick: "username",
  nickname: "username",
  display_name: "name",
  first_name: "name",
  full_name: "name",
  fullname: "name",
  followers: "followers_count",
  follower_count: "followers_count",
  following: "following_count",
  is_verified: "verified",
  bio: "description",
  tags: "labels",
  tag: "labels",
  links: "urls",
  account_age: "created_at",
  age: "created_at",
  joined: "created_at",
  joined_at: "created_at",
  new_user: "is_new",
  is_new_user: "is_new",
  first_message: "is_new",
  first_time: "is_new",
};
const TEXT = /^(?:text|content|body|message|msg|input|user_input|query|utterance|last_message)$/;

/**
 * Returns the field that a name of another tool means: `sender.name` for `user.name`, the text for `$json.text`.
 *
 * @param isKnown Returns whether the events of the rule have a field.
 * @param ofPerson Field of the person for a bare name such as `user`.
 */
export function meantField(
  name: string,
  isKnown: (path: string) => boolean,
  ofPerson: "username" | "name" = "name",
): string | undefined {
  if (name === "" || isKnown(name)) return undefined;
  for (const path of forms(name)) {
    if (isKnown(path)) return path;
    const whole = PERSON.exec(path)?.[0] === path ? `sender.${ofPerson}` : undefined;
    if (whole !== undefined && isKnown(whole)) return whole;
    if (TEXT.test(path)) {
      const text = ["message.text", "post.text", "text"].find(isKnown);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

/** Returns names that another tool's name may mean, the closest first: `post.author` for `tweet.author`. */
function forms(name: string): readonly string[] {
  const all = new Set([name]);
  for (const form of all) {
    if (all.size > 40) break;
    all.add(form.replace(/^(?:dm|direct_message|msg)\./, "message."));
    all.add(form.replace(/^(?:tweet|status)\./, "post."));
    all.add(form.replace(PERSON, "sender"));
    all.add(form.replace(WRAPPERS, ""));
    all.add(form.replace(/\w+$/, (leaf) => ownMember(LEAVES, leaf) ?? leaf));
    all.add(form.replace(/^(?:match|args|arguments|params|parameters)\./, "captures."));
    all.add(form.replace(/^(?:env|variables)\./, "vars."));
    if (!form.includes(".")) all.add(`sender.${form}`);
    const bare = /^(?:slots?|session|state|memory|brain|store)\.(\w+)$/.exec(form)?.[1];
    if (bare !== undefined) all.add(`state.sender.${bare}`).add(`state.account.${bare}`);
  }
  return [...all];
}
