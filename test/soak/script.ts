import { RULES } from "../crash/script.ts";

/** Returns the rule file of a simulated day. `version` changes its text but not its answers to the day's messages. */
export function rulesOfTheDay(version: number): string {
  return `${RULES}  - id: mention
    triggers: [post.mentioned]
    max_age: 48h
    actions: [{reply_post: "heard \${{ post.id }}"}]
  - id: welcome
    triggers: [user.followed]
    max_age: 48h
    actions: [{reply_dm: "welcome"}]
  - id: version-${version}
    triggers: [dm.received]
    conditions: [{message.text: {equals: "version ${version}"}}]
    actions: [{reply_dm: "this is version ${version}"}]
`;
}

/** The bot's answer to a follow. */
export const WELCOME = "welcome";

/** Answer of a bot to a post that mentions it. */
export function replyTo(post: string): string {
  return `heard ${post}`;
}
