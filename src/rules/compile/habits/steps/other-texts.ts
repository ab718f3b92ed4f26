import { isPlainMap, without, type WrittenMap } from "../plain-map.ts";
import { aboutPerson } from "./other-verbs.ts";
import type { StepSurroundings } from "./step-surroundings.ts";

const SAYING =
  /^(?:res\.|ctx\.|bot\.|notify\.)?(?:send|say|text|utter|message|msg|speak|respond|answer|response|responses|send_?message|send_?text|send_?reply|sender|notify)$/i;
const WRITING =
  /^(?:dm|send_?dm|direct_?message|send_?direct_?message|reply_?dm|private_?message)$/i;
const PUBLISHING =
  /^(?:tweet|post|publish|toot|post_?tweet|create_?tweet|send_?tweet|update_?status|status|create_?post|new_?post)$/i;
const ANSWERING =
  /^(?:reply_?tweet|reply_?to_?tweet|reply_?post|reply_?to_?post|comment|reply_?public)$/i;
const TEXTS = ["text", "message", "content", "body", "status", "msg", "value"];
const SEVERAL: ReadonlySet<string> = new Set(
  "options random one_of variants texts any_of choices messages".split(" "),
);
const MEDIA = /^(?:image|photo|picture|video|gif|attachment|file|media_?(?:path|url|file))$/i;
/** Keys that no step of this language has: the platform has no counterpart, or the event determines the value. */
const TO: ReadonlySet<string> = new Set(
  "buttons quick_replies keyboard reply_markup to chat_id recipient recipient_id user user_id receiver public target title parse_mode".split(
    " ",
  ),
);

/** Returns the verb of this language that sends or publishes a text, for a verb of another tool. */
export function sayingVerb(verb: string, { isPublic }: StepSurroundings): string | undefined {
  if (PUBLISHING.test(verb)) return "create_post";
  if (ANSWERING.test(verb)) return "reply_post";
  if (WRITING.test(verb)) return "reply_dm";
  if (/^reply$/i.test(verb)) return "reply";
  if (/^quote$/i.test(verb)) return "quote";
  return SAYING.test(verb) ? (isPublic ? "reply" : "reply_dm") : undefined;
}

/** Returns the keys of another tool's text that its form in this language omits, such as `buttons` and `to`. */
export function omittedKeys(item: unknown): readonly string[] {
  if (!isPlainMap(item)) return [];
  return Object.entries(item).flatMap(([verb, value]) =>
    isPlainMap(value) && aboutPerson(verb, value) === undefined
      ? Object.keys(value).filter((key) => TO.has(key))
      : [],
  );
}

/** Creates a step that sends a text, with the keys of this language. */
export function saying(verb: string, value: unknown): WrittenMap | undefined {
  if (typeof value === "string") return { [verb]: value };
  if (Array.isArray(value)) return { [verb]: value };
  if (!isPlainMap(value)) return undefined;
  const map = Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !TO.has(key))
      .map(([key, one]) => {
        const isSeveral = SEVERAL.has(key) || (TEXTS.includes(key) && Array.isArray(one));
        const own = MEDIA.test(key) && typeof one === "string" ? "media" : key;
        return [isSeveral ? "options" : TEXTS.includes(key) ? "text" : own, one];
      }),
  );
  const [[only, first] = [], ...others] = Object.entries(map);
  const isPlain = only === "text" && others.length === 0;
  const hadText = Object.keys(value).length === 1 && value["text"] !== undefined;
  return { [verb]: isPlain && !hadText ? first : map };
}

/** Translates `random: [{reply_dm: Hi}, {reply_dm: Hello}]` into one step with several texts. */
export function drawn(value: unknown, around: StepSurroundings): WrittenMap | undefined {
  if (!Array.isArray(value)) return undefined;
  if (value.every((one) => typeof one === "string"))
    return saying(around.isPublic ? "reply" : "reply_dm", value);
  const weights = value.map((one: unknown) =>
    isPlainMap(one) ? weightOf(one["weight"]) : undefined,
  );
  const entries = value.flatMap((one: unknown) =>
    isPlainMap(one) ? Object.entries(without(one, ["weight"])).slice(0, 1) : [],
  );
  const verb = entries[0]?.[0] ?? "";
  const isOne =
    entries.length === value.length &&
    entries.every(([key, text]) => key === verb && typeof text === "string");
  return isOne
    ? saying(
        sayingVerb(verb, around) ?? verb,
        entries.map(([, text], index) =>
          weights[index] === undefined ? text : { weight: weights[index], text },
        ),
      )
    : undefined;
}

/** Returns the weight of a text: 50 for `50` and `50%`. */
function weightOf(written: unknown): number | undefined {
  const number = typeof written === "string" ? Number(written.replace(/ ?%$/, "")) : written;
  return typeof number === "number" && number > 0 ? number : undefined;
}

/** Returns the text of a map that has no other key; otherwise the map. */
export function onlyText(map: WrittenMap): unknown {
  const [only, second] = Object.entries(map);
  return only !== undefined && second === undefined && TEXTS.includes(only[0]) ? only[1] : map;
}
