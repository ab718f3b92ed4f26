import type { CheckOptions } from "../../config/check-options.ts";
import { settingMeant } from "../../config/wrong-settings/wrong-values.ts";
import { written } from "../../config/suggest-value.ts";
import type { Path } from "../../config/yaml-document.ts";
import { triggerWord } from "../../events/trigger-words.ts";
import { meantWord } from "../../rules/language.ts";
import { ownMember } from "../../system/own-member.ts";
import { asText } from "../../text/as-text.ts";
import { SENT_WORDS } from "./test-file.ts";

/** Help for what people write in test files from memory, or from other tools. */
export const OTHER_FORMS: CheckOptions = {
  meant: (key, path) => meantKey(key, placeOf(path)),
  form: (key, path, value) => keyForm(key, value, placeOf(path)),
  value: (path, value) => valueForm(value, path),
};

/** Returns a path without the indexes of its list items and without the names of people. */
function placeOf(path: Path): string {
  const steps = path.filter((step) => typeof step === "string");
  return (steps[0] === "users" && steps.length > 1 ? steps.with(1, "*") : steps).join("/");
}

/** Keys of a test file by the words of other tools, for each place. */
const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "": {
    ...same("rule_files", ["rules", "rule", "rule_file", "files"]),
    ...same("bot_files", ["bots", "bot", "bot_file", "modules"]),
    ...same("start_time", ["now", "time", "clock", "date", "start", "starts_at", "started_at"]),
    ...same("tests", ["cases", "specs", "scenarios", "stories", "it"]),
    ...same("users", ["people", "persons", "accounts", "contacts", "user"]),
    ...same("secrets", ["env", "environment"]),
  },
  "users/*": {
    ...same("followers_count", ["followers", "follower_count"]),
    ...same("following_count", ["following", "friends_count"]),
    ...same("post_count", ["posts", "tweets", "tweet_count", "statuses_count"]),
    ...same("username", ["handle", "screen_name"]),
    ...same("name", ["display_name", "full_name"]),
    ...same("description", ["bio"]),
    ...same("id", ["user_id", "id_str"]),
    ...same("profile_image_url", ["avatar", "profile_image"]),
  },
  tests: {
    ...same("name", ["title", "description", "it", "test", "scenario", "id"]),
    ...same("events", ["given", "when", "steps", "messages", "input", "inputs", "send", "actions"]),
    ...same("expect", ["then", "assert", "assertions", "output", "outputs", "should", "expects"]),
    ...same("expect", ["replies", "responses", "expectations"]),
    ...same("expect_not_run", ["not_run", "never", "expect_skipped", "should_not_run"]),
    ...same("expect_failed_runs", ["failed_runs", "failures", "errors", "expect_failed", "throws"]),
    ...same("expect_failed_runs", ["expect_errors", "expect_failures", "expect_error", "raises"]),
    ...same("expect_open_runs", ["open_runs", "waiting", "expect_waiting"]),
    ...same("advance_to", ["advance", "until", "run_until", "wait", "duration", "end_time"]),
    ...same("http", ["mocks", "mock", "stubs", "requests", "services"]),
  },
  "tests/expect": same("at", ["after", "within", "time", "delay"]),
  "tests/expect_not_run": same("because", ["reason", "why"]),
  "tests/expect_failed_runs": same("error", ["reason", "because", "message", "text"]),
  "tests/expect_open_runs": same("waiting_at", ["at", "step", "waiting", "waits_at"]),
  "tests/http": {
    ...same("match", ["request", "when", "on"]),
    ...same("respond", ["response", "return", "returns", "reply", "then", "answer"]),
  },
  "tests/http/respond": {
    ...same("status", ["code", "status_code", "statusCode"]),
    ...same("json", ["data", "payload"]),
    ...same("body", ["text", "content"]),
    ...same("fail", ["error", "timeout"]),
  },
};
const EVENT_KEYS: Readonly<Record<string, string>> = {
  ...same("from", ["user", "by", "sender", "author", "who", "username", "person"]),
  ...same("text", ["message", "body", "content", "msg", "says"]),
};

const OUTPUT_KEYS: Readonly<Record<string, string>> = {
  ...same("text", ["message", "body", "content", "msg"]),
  ...same("to", ["user", "recipient", "who", "from"]),
};

/** Returns the field of an action for another tool's word, if the action has it. */
export function meantOutput(key: string, names: readonly string[]): string | undefined {
  return names.find((name) => name === ownMember(OUTPUT_KEYS, key));
}

function same(word: string, others: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(others.map((other) => [other, word]));
}

function isMeant(key: string, place: string): boolean {
  return Object.hasOwn(KEYS[place] ?? {}, key);
}

function meantKey(key: string, place: string): string | undefined {
  const own = ownMember(KEYS[place] ?? {}, key);
  if (own !== undefined) return own;
  if (place === "tests/events") return triggerWord(key);
  if (/^tests\/events\/./.test(place)) return ownMember(EVENT_KEYS, key);
  if (place === "tests/expect") return sentWord(key);
  return /^tests\/(?:expect|http\/match|platform\/match)\/./.test(place)
    ? meantWord("operator", key)
    : undefined;
}

function sentWord(key: string): string | undefined {
  const word = key === "reply" ? "reply_dm" : meantWord("step", key);
  return SENT_WORDS.find((one) => one === word);
}

/** Keys of the file that people write in a single test. */
const OF_FILE: ReadonlySet<string> = new Set(
  ["users", "secrets", "limits", "start_time", "account", "opt_out", "quiet_hours"].concat([
    "rule_files",
    "bot_files",
  ]),
);
const STATE = /^(?:state|session|memory|context|vars|variables|setup|before)$/;

function keyForm(key: string, value: unknown, place: string): string | undefined {
  const text = asText(value);
  if (place === "tests") {
    if (OF_FILE.has(key)) return `move it to the top of the file, beside "tests"`;
    if (/^(?:skip|only|todo|tags?)$/.test(key))
      return "remove it, and choose tests by  --filter TEXT";
    if (/^(?:expect_)?(?:nothing|no_(?:reply|answer|output)|silence)$/.test(key)) {
      return "write  expect: []";
    }
    if (STATE.test(key)) return "remove it: state is what earlier events of the test have set";
  }
  if (place === "tests/events") {
    if (/^(?:wait|delay|sleep|advance|after)$/.test(key)) {
      return `remove it, and give the next event its time since the start:  at: ${/^\d+\w+$/.test(text) ? text : "5m"}`;
    }
    const trigger = /^(?:type|trigger|event|on|kind)$/.test(key) ? triggerWord(text) : undefined;
    if (trigger !== undefined) return `write  { ${eventOf(trigger, "hi")} }`;
    const isField = Object.hasOwn(EVENT_KEYS, key) || key === "from" || key === "text";
    if (isField && typeof value !== "object")
      return "write it below the trigger:  dm.received: { from: ann, text: hi }";
  }
  if (place === "tests/expect_not_run" && typeof value === "string" && !isMeant(key, place)) {
    return `write  { rule: ${key}, because: ${written(value)} }`;
  }
  if (place === "tests/http" && /^(?:url|method)$/.test(key))
    return `write  match: { ${key}: ${written(value)} }`;
  if (place === "tests/http" && /^(?:status|json|body|fail)$/.test(key)) {
    return `write it below respond:  respond: { ${key}: … }`;
  }
  return undefined;
}

const NOTHING = /^(?:none|nothing|no|null|never|empty|0|false)$/i;
const ABOUT_PEOPLE = /^(?:user\.|dm\.(?:typing|read)$)/;

/** Returns an event with the text that people write in its place: `user.followed: { from: ann }` for `ann`. */
function eventOf(trigger: string, text: string): string {
  return `${trigger}: ${fieldsOfEvent(trigger, text)}`;
}

function fieldsOfEvent(trigger: string, text: string): string {
  if (trigger.startsWith("link.")) return `{ for: ${written(text)} }`;
  if (ABOUT_PEOPLE.test(trigger)) return `{ from: ${text === "hi" ? "ann" : written(text)} }`;
  return `{ from: ann, text: ${written(text)} }`;
}

function valueForm(value: unknown, path: Path): string | undefined {
  const place = placeOf(path);
  if (/^(?:limits|opt_out|quiet_hours)\b/.test(place)) return settingMeant(path, value);
  const isItem = typeof path.at(-1) === "number";
  const put = ownMember(isItem ? ITEMS : VALUES, place);
  if (put !== undefined) return put(value);
  if (
    /^tests\/(?:events|expect|expect_not_run|expect_failed_runs)\/at$|^tests\/advance_to$/.test(
      place,
    )
  )
    return sinceStart(value);
  const trigger = /^tests\/events\/([^/]+)$/.exec(place)?.[1];
  if (trigger !== undefined && typeof value === "string")
    return `write  ${fieldsOfEvent(trigger, value)}`;
  const text = /^tests\/expect\/\w+$/.test(place) ? asText(value) : "";
  return text !== "" && TEXTS.test(place) ? `write  { text: ${written(text)} }` : undefined;
}

/** Expected output that has a text. */
const TEXTS = /\/(?:reply_\w+|create_post|quote)$/;

type Advice = (value: unknown) => string | undefined;

function none(key: string, item: (text: string) => string): Advice {
  return (value) => {
    const text = asText(value ?? "none");
    if (text === "") return undefined;
    return NOTHING.test(text) ? `write  ${key}: []` : `write  ${key}: [${item(written(text))}]`;
  };
}

function each(item: (text: string) => string): Advice {
  return (value) => (asText(value) === "" ? undefined : `write  ${item(written(value))}`);
}

const replied = (text: string): string => `{ reply_dm: { text: ${text} } }`;
const ofRule = (text: string): string => `{ rule: ${text} }`;
const heard = (text: string): string => `{ dm.received: { from: ann, text: ${text} } }`;

/** Help for the value at a place. */
const VALUES: Readonly<Record<string, Advice>> = {
  "tests/expect": none("expect", replied),
  "tests/expect_not_run": none("expect_not_run", ofRule),
  "tests/expect_failed_runs": none("expect_failed_runs", ofRule),
  "tests/expect_open_runs": none("expect_open_runs", ofRule),
  "tests/events": none("events", heard),
  "tests/http/respond": (value) =>
    typeof value === "number"
      ? `write  { status: ${value} }`
      : each((text) => `{ body: ${text} }`)(value),
  "tests/http/respond/body": (value) =>
    typeof value === "object" ? "write it as  json:  in place of body" : undefined,
  "tests/http/match": each((text) => `{ url: ${text} }`),
  tests: (value) =>
    typeof value === "object" && !Array.isArray(value)
      ? "write each test as an item of a list, with its name:  - name: …"
      : undefined,
  users: (value) =>
    Array.isArray(value)
      ? `write  users: { ${value.map((one, index) => `${asText(one).replace(/^@/, "") || "ann"}: { id: "${1001 + index}" }`).join(", ")} }`
      : undefined,
  "users/*": (value) =>
    /^\d+$/.test(asText(value))
      ? `write  { id: "${asText(value)}" }`
      : each((text) => `{ id: "1001", name: ${text} }`)(value),
  start_time: momentMeant,
  "users/*/created_at": momentMeant,
  "": (value) =>
    Array.isArray(value) ? "write  tests:  above the list, and  version: 1  above that" : undefined,
};

/** Help for an item of the list at a place. */
const ITEMS: Readonly<Record<string, Advice>> = {
  "tests/expect": each(replied),
  "tests/expect_not_run": each(ofRule),
  "tests/expect_failed_runs": each(ofRule),
  "tests/expect_open_runs": each(ofRule),
  "tests/events": each(heard),
};

function sinceStart(value: unknown): string | undefined {
  if (value === 0 || value === "0") return "write 0s";
  return /^\d{4}-\d\d-\d\d/.test(asText(value))
    ? "write the time since start_time, as 10m"
    : undefined;
}

/** Completes a date or a time without a zone. */
function momentMeant(value: unknown): string {
  const [, date, time = "00:00", seconds = ":00"] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?(?:\.\d+)?)?$/.exec(asText(value)) ?? [];
  const moment = date === undefined ? "" : `${date}T${time}${seconds}Z`;
  return Number.isNaN(Date.parse(moment))
    ? "write date, time and zone, as 2026-03-02T09:00:00Z"
    : `write ${moment}`;
}
