import { asText } from "../../../../text/as-text.ts";
import { triggerWord } from "../../../../events/trigger-words.ts";
import { isPlainMap, type WrittenMap } from "../plain-map.ts";
import { typing } from "./other-waits.ts";

const CALLING =
  /^(?:https?|(?:http_?)?request|fetch|call_?api|api|api_?(?:call|request)|web_?hook|rest_?command|curl)$/i;
const LABELLING = /^(?:add_?)?(?:tag|label)s?$/i;
const UNLABELLING = /^(?:remove_?|delete_?|un)(?:tag|label)s?$/i;
const HANDING_OVER =
  /^(?:escalate|hand_?(?:over|off)(?:_?to(?:_?\w+)?)?|transfer(?:_?to(?:_?\w+)?)?|talk_?to_?human|(?:create_?|open_?)?ticket|notify_?(?:human|agent|team|admin|staff|support))$/i;
/** Verbs that inform people by another service: here, a hand-over informs the team. */
const INFORMING = /^(?:notify|alert|(?:send_?)?e?mail|slack|discord|teams|sms|page|pager_?duty)$/i;
const SILENCING = /^(?:mute|pause|stop|disable)_?(?:the_?)?bot$/i;
/** Keys of other tools that name the variable of an answer. */
export const SAVING = ["save_as", "saveAs", "save", "variable", "store_in", "store_as", "save_to"];
const ID = /^[A-Za-z]\w*$/;
const METHODS = /^(?:get|head|post|put|patch|delete)$/i;

/** Keys of the steps that other tools write in other words. A step with only these keys is not translated. */
const OWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  http: ["method", "url", "headers", "json", "body", "repeatable", "expect_status"],
  escalate: ["queue", "priority", "note", "evidence", "pause_bot"],
  label: ["add", "remove"],
  wait_for: ["trigger", "conditions", "within", "on_timeout"],
};

/** Returns whether the map under a verb has the keys of this language. */
export function hasOwnKeys(verb: string, map: WrittenMap): boolean {
  const keys = OWN_KEYS[verb];
  if (keys === undefined) return true;
  if (!Object.keys(map).every((key) => keys.includes(key))) return false;
  if (verb === "http") return !isPlainMap(map["body"]) && !/^[a-z]/.test(asText(map["method"]));
  return verb !== "label" || Object.values(map).every(Array.isArray);
}

/** Translates a verb of another tool that does not send, store or repeat anything. */
export function otherVerb(verb: string, value: unknown, isPublic: boolean): WrittenMap | undefined {
  if (isPlainMap(value) && Object.hasOwn(OWN_KEYS, verb) && hasOwnKeys(verb, value))
    return undefined;
  if (CALLING.test(verb)) return called(value);
  const request = METHODS.test(verb) ? requested(verb.toUpperCase(), value) : undefined;
  if (request !== undefined) return request;
  if (LABELLING.test(verb)) return labelled("add", value);
  if (UNLABELLING.test(verb)) return labelled("remove", value);
  if (HANDING_OVER.test(verb)) return handedOver(value);
  if (INFORMING.test(verb)) return informed(verb, value);
  if (SILENCING.test(verb)) return silenced(value);
  const awaited = verb === "wait_for" && typeof value === "string" ? triggerWord(value) : undefined;
  if (awaited !== undefined) return { wait_for: { trigger: awaited, within: "1h" } };
  if (/^(?:wait|sleep|pause)_?until$/i.test(verb))
    return typeof value === "string" ? { delay_until: value } : undefined;
  return typing(verb, value) ?? bareVerb(verb, value, isPublic);
}

/** Returns the step that a single word of another tool means, such as `ban` or `delete`. */
function bareVerb(verb: string, value: unknown, isPublic: boolean): WrittenMap | undefined {
  if (value !== undefined && value !== null && value !== true) return undefined;
  const own = /^(?:hide|delete|remove)(?:_?(?:it|comment|reply|message|tweet))?$/i.test(verb)
    ? isPublic
      ? "hide_reply"
      : /^hide/i.test(verb)
        ? undefined
        : "delete_message"
    : undefined;
  return own && { [own]: true };
}

function called(value: unknown): WrittenMap | undefined {
  if (typeof value === "string") {
    const [, method, url] = /^(?:([A-Z]+) )?(https?:\S+)$/.exec(value.trim()) ?? [];
    if (url === undefined) return undefined;
    return { http: method === undefined || method === "GET" ? { url } : { method, url } };
  }
  if (!isPlainMap(value)) return undefined;
  const entries = Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
    if (METHODS.test(key) && typeof one === "string") {
      const url: [string, unknown] = ["url", one];
      return /^get$/i.test(key) ? [url] : [["method", key.toUpperCase()], url];
    }
    if (/^(?:uri|endpoint|link|address)$/i.test(key)) return [["url", one]];
    if (key === "method") return [[key, asText(one).toUpperCase()]];
    if (/^(?:body|data|payload|json_?body|form)$/i.test(key))
      return [[isPlainMap(one) || Array.isArray(one) ? "json" : "body", one]];
    return SAVING.includes(key) ? [] : [[key, one]];
  });
  const http = Object.fromEntries(entries);
  const id = SAVING.map((key) => value[key]).find((one) => typeof one === "string");
  return typeof http["url"] === "string"
    ? { ...(id !== undefined && ID.test(id) && { id }), http }
    : undefined;
}

/** Translates `get: https://…` and `post: { url: …, body: … }`. A `post` with a text is a post of the platform. */
function requested(method: string, value: unknown): WrittenMap | undefined {
  if (typeof value === "string") {
    return method === "POST" ? undefined : called(`${method} ${value}`);
  }
  const isPost = isPlainMap(value) && POST_TEXTS.some((key) => value[key] !== undefined);
  if (!isPlainMap(value) || isPost) return undefined;
  return called(method === "GET" ? value : { method, ...value });
}

/** Keys with the text of a post or message. */
const POST_TEXTS = ["text", "message", "content", "status", "msg"];

const PERSON_VERB = /^(?:un)?(?:follow|block|mute)$/;
const PERSON = /^(?:user|username|handle|screen_?name|person|account|target|who|name|to)$/i;
const PERSON_ID = /^(?:user_?|person_?|account_?)?id$/i;

/** Translates a step that names its person in a map, such as `mute: { user: ana }`. */
export function aboutPerson(verb: string, value: unknown): readonly WrittenMap[] | undefined {
  if (!PERSON_VERB.test(verb) || !isPlainMap(value)) return undefined;
  const [[key, person] = ["", undefined], second] = Object.entries(value);
  const name = asText(person).trim().replace(/^@/, "");
  if (second !== undefined || name === "") return undefined;
  if (PERSON_ID.test(key) || (PERSON.test(key) && /^\d+$|\bid\s*\}\}$/.test(name))) {
    return [{ [verb]: name }];
  }
  if (!PERSON.test(key)) return undefined;
  const id = "${{ steps.who.result.id }}";
  return [{ id: "who", lookup: { username: name } }, { [verb]: id }];
}

function labelled(change: "add" | "remove", value: unknown): WrittenMap | undefined {
  if (typeof value === "string") return { label: { [change]: [value] } };
  if (Array.isArray(value)) return { label: { [change]: value } };
  if (!isPlainMap(value)) return undefined;
  const { name, tag, label } = value;
  const only: unknown = name ?? tag ?? label;
  if (typeof only === "string" && Object.keys(value).length === 1)
    return { label: { [change]: [only] } };
  const isOwn = Object.keys(value).every((key) => key === "add" || key === "remove");
  const isOfTexts = Object.values(value).every(
    (one) => typeof one === "string" || Array.isArray(one),
  );
  if (!isOwn || !isOfTexts || change === "remove") return undefined;
  const lists = Object.entries(value).map(([key, one]) => [key, Array.isArray(one) ? one : [one]]);
  return { label: Object.fromEntries(lists) };
}

const QUEUE = /^[A-Za-z][\w-]*$/;
const NOTES = /^(?:message|text|reason|comment|body|description|subject|title)$/i;
/** Keys of an `assign` step that name a person or a team. */
const ASSIGNEES = ["to", "agent", "assignee", "team", "group", "user"];

/** Translates a step that assigns the conversation to a person; undefined for one that assigns a variable. */
export function assigned(verb: string, value: unknown): WrittenMap | undefined {
  if (!/^assign(?:_?to)?$/i.test(verb)) return undefined;
  const keys = isPlainMap(value) ? Object.keys(value) : [];
  const isPerson =
    (keys.length === 1 && ASSIGNEES.includes(keys[0] ?? "")) ||
    (typeof value === "string" && QUEUE.test(value));
  return isPerson || /^assign_?to$/i.test(verb) ? handedOver(value) : undefined;
}

const QUEUES = /^(?:to|team|group|department|assignee|channel|agent)$/i;

function handedOver(value: unknown): WrittenMap | undefined {
  if (value === undefined || value === null || value === true)
    return { escalate: { queue: "support" } };
  if (typeof value === "string")
    return { escalate: QUEUE.test(value) ? { queue: value } : { queue: "support", note: value } };
  if (!isPlainMap(value)) return undefined;
  const notes = Object.keys(value).filter((key) => NOTES.test(key));
  const entries = Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
    if (NOTES.test(key)) return key === notes.at(-1) ? [["note", one]] : [];
    if (!QUEUES.test(key)) return [[key, one]];
    return typeof one === "string" && QUEUE.test(one) ? [["queue", one]] : [];
  });
  const escalate: WrittenMap = Object.fromEntries(entries);
  return {
    escalate: { ...(escalate["queue"] === undefined && { queue: "support" }), ...escalate },
  };
}

const TEAM =
  /^(?:admins?|team|staff|support|agents?|owners?|moderators?|operators?|humans?|sales)$/i;

/** Translates a step that informs the team by another service. */
function informed(verb: string, value: unknown): WrittenMap | undefined {
  if (typeof value === "string" && TEAM.test(value)) return handedOver(value);
  if (typeof value === "string")
    return /^notify$/i.test(verb) ? undefined : { escalate: { queue: "support", note: value } };
  if (!isPlainMap(value)) return undefined;
  const isOfTeam = ["channel", "email", "team", "group"].some((key) => value[key] !== undefined);
  if (/^notify$/i.test(verb) && !isOfTeam) return undefined;
  const note = ["text", "message", "body", "content", "subject", "title"]
    .map((key) => value[key])
    .find((one) => typeof one === "string");
  return { escalate: { queue: "support", ...(note !== undefined && { note }) } };
}

function silenced(value: unknown): WrittenMap {
  const time = typeof value === "string" && /^\d+[smhd]$/.test(value) ? value : "12h";
  return { escalate: { queue: "support", pause_bot: { per: "sender", for: time } } };
}
