import type { Path } from "../../../config/yaml-document.ts";
import { meantWord } from "../../schema/other-words.ts";
import { asText } from "../../../text/as-text.ts";

/** How to get what other tools have a step for, by the word of that step. */
const WAYS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:probability|random(?:ly)?|odds)$|^chance$/,
    "put a condition on the step:  if: chance(0.5)",
  ],
  [/^try$/, "write its steps here, and  on_error: […]  beside the step that may fail"],
  [/^finally$/, "write its steps below: they run after the others"],
  [
    /^(?:foreach|for_?each|while|until)$/,
    "write  repeat: { for_each: …, sequence: […] };  people can't be listed",
  ],
  [
    /^(?:broadcast|send_?all|send_?to_?all|announce|blast|newsletter)$/,
    "a rule answers the person of its event; publish it with  create_post",
  ],
  [
    /^(?:react(?:ion|ions)?|add_?reaction|emoji)$/,
    "remove it: no step adds a reaction; a post can be liked with  like",
  ],
  [/^(?:mark_?(?:as_?)?read|read_?receipt|seen)$/, "remove it: no step marks messages as read"],
  [/^(?:pin|unpin)(?:_?(?:post|tweet|message))?$/, "remove it: no step pins a post or message"],
  [
    /^(?:strikes?|warning|warn(?:_?user)?|add_?strike)$/,
    "count with  increment: { state.sender.strikes: 1 }  and answer with  reply_dm",
  ],
  [
    /^(?:send_?)?(?:image|photo|picture|video|gif|file|attach(?:ment)?s?|attach_?file)$/,
    "write  reply_dm: { text: …, media: FILE }",
  ],
  [
    /^(?:quick_?repl(?:y|ies)|buttons?|keyboard|menu|choices|options|carousel|cards?)$/,
    "name the choices in a text, and ask with  ask: { text: …, expect: { in: […] } }",
  ],
  [
    /^(?:wait_?for_?(?:reply|answer|response|input|message|user)|get_?input|collect|listen)$/,
    "write  ask: { text: …, within: 1h }  or  wait_for: { trigger: dm.received, within: 1h }",
  ],
  [
    /^(?:remind(?:er|_?me)?|schedule|later|send_?later|after)$/,
    "write  delay: 1d  and the step below it; at fixed times, use a rule with the trigger  schedule",
  ],
  [
    /^(?:ai|llm|openai|chat_?gpt|gpt|claude|generate|completion)$/,
    "call the service with  http  or a module with  call",
  ],
  [
    /^(?:translate|translation|summari[sz]e|sentiment|classify)$/,
    "call a service with  http  or a module with  call",
  ],
  [
    /slack|discord|telegram|teams|whatsapp|zapier|(?:google_?)?sheets?$|airtable|hubspot|^(?:my)?sql$|^(?:query|database|db)$/,
    "call the service with  http;  to inform your team, use  escalate",
  ],
  [
    /^(?:get|load|read|fetch)_?(?:state|variable|slot|data|value|memory)$/,
    "remove it: expressions read state, as  ${{ state.sender.score.orValue(0) }}",
  ],
  [
    /^(?:subscribe|opt_?in|add_?to_?(?:list|group|segment))$/,
    "label the person:  label: { add: [news] }",
  ],
  [
    /^(?:unsubscribe|opt_?out|remove_?from_?(?:list|group|segment))$/,
    "remove the label:  label: { remove: [news] };  words for opting out are in the settings",
  ],
  [/^follow_?back$/, "write  follow"],
  [
    /^(?:thread|tweet_?storm|create_?thread)$/,
    "write  create_post  with the whole text: a long one becomes posts that answer each other",
  ],
];

/** Returns how to get what another tool has a step for; undefined for words of a step of this language. */
export function wayWithoutStep(word: string): string | undefined {
  if (meantWord("step", word) !== undefined) return undefined;
  const lower = word.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
  return WAYS.find(([pattern]) => pattern.test(lower))?.[1];
}

const ABOUT_POST =
  /^(?:like|unlike|repost|undo_repost|hide_reply|unhide_reply|delete_post|delete_message)$/;
const ABOUT_PERSON = /^(?:follow|unfollow|block|unblock|mute|unmute)$/;
const NAMING = /^(?:(?:post|tweet|message|status|user)?_?id|post|tweet|message|status|url|link)$/;

/** Returns the help for a key below a verb that takes an id or stands alone, such as `like: { post: … }`. */
export function helpInVerb(key: string, [verb]: Path, value: unknown): string | undefined {
  if (typeof verb !== "string") return undefined;
  if (ABOUT_PERSON.test(verb) && /^(?:for|duration|time|until|minutes|hours|days)$/.test(key)) {
    return `write  - ${verb}  and below it  - delay: ${/^\d+[smhd]$/.test(asText(value)) ? asText(value) : "1d"}  and  - ${opposite(verb)}`;
  }
  if (!ABOUT_POST.test(verb) || !NAMING.test(key)) return undefined;
  const id = /^(?:\d+|\$\{\{.*\}\})$|(?<=\/)\d+$/.exec(asText(value))?.[0];
  const own = `write  ${verb}  alone for the ${verb === "delete_message" ? "message" : "post"} of the event`;
  return id === undefined ? own : `write  ${verb}: "${id}"`;
}

function opposite(verb: string): string {
  return verb.startsWith("un") ? verb.slice(2) : `un${verb}`;
}
