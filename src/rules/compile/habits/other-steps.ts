import { asText } from "../../../text/as-text.ts";
import { STEPS } from "../../steps/steps.ts";
import { isPlainMap } from "./inline-yaml.ts";
import type { ConditionReader } from "./other-conditions.ts";
import { isSame } from "./same-shape.ts";
import { aboutPerson, assigned, hasOwnKeys, otherVerb, SAVING } from "./other-verbs.ts";
import { askedAnswer } from "./other-questions.ts";
import { triggerWord } from "../../../events/trigger-words.ts";
import { timeOf } from "./other-times.ts";
import { keepingStep } from "./other-values.ts";
import type { StateOwner } from "../../schema/state-keys.ts";
import { STATE_PATH } from "../../expression/state-names.ts";
import { ownMember } from "../../../system/own-member.ts";

/** Context in which the steps of a rule are translated. */
export interface StepSurroundings {
  readonly conditions: ConditionReader;
  /** Whether the rule answers posts, in public. */
  readonly isPublic: boolean;
  /** Returns whether the file has a shared text with this name. */
  readonly hasText: (name: string) => boolean;
  /** Paths of state that the file declares. */
  readonly declared: readonly string[];
  /** Owner of state that a step names without an owner: the account if the events have no person. */
  readonly owner: StateOwner;
}

type WrittenMap = Readonly<Record<string, unknown>>;

const SAYING =
  /^(?:res\.|ctx\.|bot\.|notify\.)?(?:send|say|text|utter|message|msg|speak|respond|answer|response|responses|send_?message|send_?text|send_?reply|sender|notify)$/i;
const WRITING =
  /^(?:dm|send_?dm|direct_?message|send_?direct_?message|reply_?dm|private_?message)$/i;
const PUBLISHING =
  /^(?:tweet|post|publish|toot|post_?tweet|create_?tweet|send_?tweet|update_?status|status|create_?post|new_?post)$/i;
const ANSWERING =
  /^(?:reply_?tweet|reply_?to_?tweet|reply_?post|reply_?to_?post|comment|reply_?public)$/i;
const WAITING = /^(?:wait|sleep|pause|delay|after)(?:_?(seconds|secs|minutes|mins|ms))?$/i;
const ASKING = /^(?:ask|question|prompt|ask_?question)$/i;
const LEADING_ON = /^(?:goto|go_?to|next|transition|redirect|jump|call_?rule|run_?rule|flow)$/i;
const LOOPING = /^(?:loop|repeat|for)$/i;
const LISTENING = /^wait_?for_?(?:trigger|event)$/i;
const CHOOSING = /^(?:choose|switch|case)$/i;
/** Keys whose value is the verb in another tool's step: `{service: notify, …}`. The other keys are its arguments. */
const NAMING = ["action", "service", "type", "ref", "uses", "step", "name"];
const ARGUMENTS = ["data", "parameters", "params", "with", "args", "options"];
const FRAME = ["id", "name", "if", "enabled", "timeout", "retry", "on_error", "continue_on_error"];

/**
 * Translates one step of another tool into steps of this language. Returns undefined for unknown steps, and for steps
 * that are in this language already.
 */
export function stepsOf(item: unknown, around: StepSurroundings): readonly unknown[] | undefined {
  if (isPlainMap(item) && isPlainlyOwn(item, around)) return undefined;
  const read =
    typeof item === "string"
      ? bareStep(item, around)
      : isPlainMap(item)
        ? mapStep(item, around)
        : undefined;
  return read === undefined || isSame(read, [item]) ? undefined : read;
}

/** Verbs of this language whose value needs no translation if it is a plain text. */
const OF_TEXT: ReadonlySet<string> = new Set(
  "reply reply_dm reply_post create_post quote log delay delay_until stop".split(" "),
);
/** Verbs of this language whose value needs no translation if it is a map. */
const OF_MAP: ReadonlySet<string> = new Set(
  "http call escalate label log report_conversion parallel".split(" "),
);
const TEXT_KEYS: ReadonlySet<string> = new Set(
  "say lang media poll long third_parties reply_settings".split(" "),
);

/** Returns whether a step is certainly in this language, as most are. Such a step is not translated. */
function isPlainlyOwn(map: WrittenMap, { conditions }: StepSurroundings): boolean {
  const { if: test } = map;
  if (test !== undefined && (typeof test !== "string" || conditions.expression(test) !== test)) {
    return false;
  }
  const keys = Object.keys(map).filter((key) => !FRAME.includes(key));
  // this call checks only the keys of the branch; the steps in its lists are checked one by one
  const isBranch = keys.every((key) => /^(?:then|else|else_if)$/.test(key));
  if (isBranch) return test !== undefined && keys.every((key) => Array.isArray(map[key]));
  const [verb = "", second] = keys;
  if (second !== undefined || !Object.hasOwn(STEPS, verb)) return false;
  const value = map[verb];
  if (typeof value === "string") {
    return OF_TEXT.has(verb) || (verb === "increment" && STATE_PATH.test(value));
  }
  if (!isPlainMap(value)) return false;
  if (OF_MAP.has(verb)) return hasOwnKeys(verb, value);
  const entries = Object.entries(value);
  if (verb === "set" || verb === "increment") {
    return entries.every(([key]) => key === "for" || STATE_PATH.test(key));
  }
  if (verb === "count")
    return value["window"] !== undefined && !asText(value["name"]).includes("${{");
  return (
    OF_TEXT.has(verb) &&
    entries.every(
      ([key, one]) =>
        TEXT_KEYS.has(key) ||
        (key === "text" && typeof one === "string") ||
        (key === "options" && Array.isArray(one)),
    )
  );
}

/** Translates a list of steps, some of which may be in this language. */
export function stepListOf(
  value: unknown,
  around: StepSurroundings,
): readonly unknown[] | undefined {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const read = items.map((one) => stepsOf(one, around) ?? (isOwnStep(one) ? [one] : undefined));
  return read.every((one) => one !== undefined) ? read.flat() : undefined;
}

function isOwnStep(item: unknown): boolean {
  if (typeof item === "string")
    return Object.hasOwn(STEPS, item) && STEPS[item]?.bare !== undefined;
  return (
    isPlainMap(item) && Object.keys(item).some((key) => Object.hasOwn(STEPS, key) || key === "if")
  );
}

function bareStep(text: string, around: StepSurroundings): readonly unknown[] | undefined {
  if (around.hasText(text)) return [{ reply: { say: text } }];
  const [, verb = "", rest = ""] = /^([A-Za-z_.]+)(?::\s*|\s+)(.+)$/s.exec(text) ?? [];
  if (verb === "" && /^\w+$/.test(text) && !isOwnStep(text)) {
    const alone = otherVerb(text, undefined, around.isPublic);
    const [[own, value] = []] = Object.entries(alone ?? {});
    return alone && [value === true ? own : alone];
  }
  const unquoted = /^(["'])(.*)\1$/s.exec(rest)?.[2] ?? rest;
  const step = verb === "" ? undefined : ofVerb(verb, unquoted, around);
  return step && [step];
}

function mapStep(map: WrittenMap, around: StepSurroundings): readonly unknown[] | undefined {
  const chosen = choice(map, around);
  if (chosen !== undefined) return [chosen];
  const { frame, verbs } = parted(map, around);
  const named = namedStep(verbs, around);
  if (named !== undefined) return [{ ...frame, ...named }];
  const branched = branch(frame, verbs, around);
  if (branched !== undefined) return [branched];
  const [first, second, ...more] = Object.entries(verbs);
  if (first === undefined) return undefined;
  const waits = Object.keys(verbs).find((key) => WAITING.test(key));
  if (second !== undefined && more.length === 0 && waits !== undefined) {
    const { [waits]: time, ...other } = verbs;
    const rest = { ...frame, ...other };
    const said = mapStep(rest, around) ?? (isOwnStep(rest) ? [rest] : undefined);
    if (said === undefined) return undefined;
    const wait = waiting(waits === "delay" ? "wait" : waits, time);
    return wait && [wait, ...said];
  }
  const saved = savedQuestion(frame, verbs);
  if (saved !== undefined) return [saved];
  if (second !== undefined) return pairs(frame, verbs, around);
  const [verb, value] = first;
  const askStep = ASKING.test(verb) ? question(value, frame) : undefined;
  if (askStep !== undefined) return [askStep, ...storedAnswer(value)];
  const delayed = delayInside(verb, value, around);
  if (delayed !== undefined) return delayed;
  if (verb === "wait_for" && isPlainMap(value) && !hasOwnKeys(verb, value)) {
    const waitedFor = waitFor(value, around);
    return waitedFor && [{ ...frame, ...waitedFor }];
  }
  if (LISTENING.test(verb)) {
    const { timeout, ...others } = frame;
    const listening = listened(value, timeOf(timeout, "s"));
    return listening && [{ ...others, ...listening }];
  }
  const about = aboutPerson(verb, value);
  if (about !== undefined) return about.map((one) => ({ ...frame, ...one }));
  const step = ofVerb(verb, value, around);
  if (step !== undefined) return [{ ...frame, ...step }];
  if (!Object.hasOwn(STEPS, verb)) return undefined;
  const keys = Object.entries(map).map(([key, own]) => {
    const word = ownMember(FRAME_WORDS, key) ?? key;
    return word === "unless" || word === "if" ? ["if", frame["if"]] : [word, frame[word] ?? own];
  });
  return [Object.fromEntries(keys)];
}

/** Translates a step whose verb has two keys, such as `repeat: 3` beside `sequence`. */
function pairs(
  frame: WrittenMap,
  verbs: WrittenMap,
  around: StepSurroundings,
): readonly unknown[] | undefined {
  const kind = Object.keys(verbs).find((key) => /^(?:for_?each|while|until)$/i.test(key));
  if (kind !== undefined) {
    const own = kind.toLowerCase().replace("foreach", "for_each");
    const kindRounds = repeated({ [own]: verbs[kind], ...without(verbs, [kind]) }, around);
    const bound = own === "for_each" ? {} : { max: 10 };
    return kindRounds && [{ ...frame, repeat: Object.assign({}, kindRounds["repeat"], bound) }];
  }
  const loop = Object.keys(verbs).find((key) => LOOPING.test(key));
  const rounds =
    loop === undefined
      ? undefined
      : repeated({ count: verbs[loop], ...without(verbs, [loop]) }, around);
  return rounds && [{ ...frame, ...rounds }];
}

function ofVerb(verb: string, value: unknown, around: StepSurroundings): WrittenMap | undefined {
  if (WAITING.test(verb)) return waiting(verb, value);
  if (/^typing$/i.test(verb)) return timed("typing", value);
  if (LEADING_ON.test(verb)) return typeof value === "string" ? { run: value } : undefined;
  if (verb === "run") return command(value);
  const handOver = assigned(verb, value);
  if (handOver !== undefined) return handOver;
  const keeping = keepingStep(verb, value, around.declared, around.owner);
  if (keeping !== undefined) return keeping;
  if (LOOPING.test(verb)) return isPlainMap(value) ? repeated(value, around) : undefined;
  if (/^(?:random|one_of|choice|pick|random_?(?:reply|answer|response|message|text))$/i.test(verb))
    return drawn(value, around);
  const other = otherVerb(verb, value, around.isPublic);
  if (other !== undefined) return other;
  const said = sayingVerb(verb, around);
  return said === undefined ? undefined : saying(said, value);
}

/** Returns the verb of this language that sends or publishes a text, for a verb of another tool. */
function sayingVerb(verb: string, { isPublic }: StepSurroundings): string | undefined {
  if (PUBLISHING.test(verb)) return "create_post";
  if (ANSWERING.test(verb)) return "reply_post";
  if (WRITING.test(verb)) return "reply_dm";
  if (/^reply$/i.test(verb)) return "reply";
  if (/^quote$/i.test(verb)) return "quote";
  return SAYING.test(verb) ? (isPublic ? "reply" : "reply_dm") : undefined;
}

const TEXTS = ["text", "message", "content", "body", "status", "msg", "value"];
const SEVERAL = [
  "options",
  "random",
  "one_of",
  "variants",
  "texts",
  "any_of",
  "choices",
  "messages",
];
const MEDIA = /^(?:image|photo|picture|video|gif|attachment|file|media_?(?:path|url|file))$/i;
/** Keys that no step of this language has: the platform has no counterpart, or the event determines the value. */
const TO = [
  "buttons",
  "quick_replies",
  "keyboard",
  "reply_markup",
  "to",
  "chat_id",
  "recipient",
  "recipient_id",
  "user",
  "user_id",
  "receiver",
  "public",
  "target",
  "title",
  "parse_mode",
];

/** Returns the keys of another tool's text that its form in this language omits, such as `buttons` and `to`. */
export function omittedKeys(item: unknown): readonly string[] {
  if (!isPlainMap(item)) return [];
  return Object.entries(item).flatMap(([verb, value]) =>
    isPlainMap(value) && aboutPerson(verb, value) === undefined
      ? Object.keys(value).filter((key) => TO.includes(key))
      : [],
  );
}

/** Creates a step that sends a text, with the keys of this language. */
function saying(verb: string, value: unknown): WrittenMap | undefined {
  if (typeof value === "string") return { [verb]: value };
  if (Array.isArray(value)) return { [verb]: value };
  if (!isPlainMap(value)) return undefined;
  const map = Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !TO.includes(key))
      .map(([key, one]) => {
        const isSeveral = SEVERAL.includes(key) || (TEXTS.includes(key) && Array.isArray(one));
        const own = MEDIA.test(key) && typeof one === "string" ? "media" : key;
        return [isSeveral ? "options" : TEXTS.includes(key) ? "text" : own, one];
      }),
  );
  const [[only, first] = [], ...others] = Object.entries(map);
  const isPlain = only === "text" && others.length === 0;
  const hadText = Object.keys(value).length === 1 && value["text"] !== undefined;
  return { [verb]: isPlain && !hadText ? first : map };
}

function waiting(verb: string, value: unknown): WrittenMap | undefined {
  const unit = WAITING.exec(verb)?.[1]?.toLowerCase();
  if (unit === "ms") return { delay: `${asText(value)}ms` };
  const isBetween = isPlainMap(value) && (value["min"] !== undefined || value["max"] !== undefined);
  if (isBetween) return { delay: value };
  // The unit of a bare number is ambiguous (seconds or minutes), so the schema reports it.
  if (verb === "delay" && !isPlainMap(value)) return undefined;
  const time = timeOf(value, unit?.startsWith("m") === true ? "m" : "s");
  return time === undefined ? undefined : { delay: time };
}

function timed(verb: string, value: unknown): WrittenMap | undefined {
  const time = isPlainMap(value) ? timeOf(value) : undefined;
  return time === undefined ? undefined : { [verb]: time };
}

/** Splits `reply_dm: {text: Hi, delay: 10s}` into two steps. */
function delayInside(
  verb: string,
  value: unknown,
  around: StepSurroundings,
): readonly unknown[] | undefined {
  const key = isPlainMap(value) ? Object.keys(value).find((one) => WAITING.test(one)) : undefined;
  if (!isPlainMap(value) || key === undefined || sayingVerb(verb, around) === undefined)
    return undefined;
  const wait = waiting(key === "delay" ? "wait" : key, value[key]);
  const said = ofVerb(verb, without(value, [key]), around);
  return wait && said && [wait, said];
}

/** Translates a question with a name for its answer beside it: `ask: Who are you?`, `save_as: who`. */
function savedQuestion(frame: WrittenMap, verbs: WrittenMap): WrittenMap | undefined {
  const [verb, name] = [
    Object.keys(verbs).find((key) => ASKING.test(key)),
    Object.keys(verbs).find((key) => SAVING.includes(key)),
  ];
  if (verb === undefined || name === undefined || Object.keys(verbs).length !== 2) return undefined;
  const value = verbs[verb];
  const questionMap: WrittenMap | undefined = isPlainMap(value) ? value : { text: value };
  return question({ ...questionMap, save_as: verbs[name] }, frame);
}

/** Returns the id of a step, or the name under which another tool's step saves its answer. */
export function stepId(step: unknown): string | undefined {
  const own = isPlainMap(step) ? step["id"] : undefined;
  return typeof own === "string" ? own : savedAs(step);
}

/** Returns the id of a question: the name under which another tool saves its answer. */
export function savedAs(step: unknown): string | undefined {
  if (!isPlainMap(step)) return undefined;
  const verb = Object.keys(step).find((key) => ASKING.test(key));
  const questionValue = verb === undefined ? undefined : step[verb];
  if (verb === undefined) return undefined;
  const places = [step, isPlainMap(questionValue) ? questionValue : {}];
  const keys = [...SAVING, "id"];
  return places
    .flatMap((map) => keys.map((key) => map[key]))
    .filter((one) => typeof one === "string")
    .find((one) => /^[A-Za-z_]\w*$/.test(one));
}

function question(value: unknown, frame: WrittenMap): WrittenMap | undefined {
  if (typeof value === "string") return { ...frame, ask: { text: value, within: "10m" } };
  // if `ask` has all of these keys, the schema checks the question
  if (!isPlainMap(value)) return undefined;
  const hasChoices = value["text"] !== undefined && value["options"] !== undefined;
  if (!hasChoices && Object.keys(value).every((key) => OWN_QUESTION.has(key))) return undefined;
  const words = new Map([
    ...["question", "prompt", "message", "content"].map((word) => [word, "text"] as const),
    ...["timeout", "wait", "expires", "expires_in", "for"].map((word) => [word, "within"] as const),
    ...["cancel", "stop_on", "cancel_words", "abort_on", "exit_on"].map(
      (word) => [word, "cancel_on"] as const,
    ),
  ]);
  const name = [...SAVING, "id"].flatMap((key) => value[key] ?? [])[0];
  const statePath = typeof name === "string" && STATE_PATH.test(name) ? name.split(".") : undefined;
  const id = statePath?.at(-1) ?? name;
  const rest = askedAnswer(without(value, [...SAVING, "id"]));
  const keys = Object.entries(rest).map(([key, one]) => {
    const own = words.get(key) ?? key;
    if (own === "cancel_on") return [own, Array.isArray(one) ? one : [one]] as const;
    return [own, own === "within" ? (timeOf(one, "s") ?? one) : one] as const;
  });
  const questionKeys: WrittenMap = Object.fromEntries(keys);
  const within = questionKeys["within"] === undefined ? { within: "10m" } : {};
  return {
    ...(typeof id === "string" && { id }),
    ...frame,
    ask: { ...questionKeys, ...within },
  };
}

/** Returns the step that stores an answer whose question names a path of state for it. */
function storedAnswer(value: unknown): readonly unknown[] {
  const path = isPlainMap(value)
    ? SAVING.map((key) => value[key]).find((one) => typeof one === "string" && STATE_PATH.test(one))
    : undefined;
  if (typeof path !== "string") return [];
  const id = path.split(".").at(-1) ?? "";
  const expect = isPlainMap(value) ? askedAnswer(value)["expect"] : undefined;
  const answer = isPlainMap(expect) && expect["in"] !== undefined ? "choice" : "text";
  return [{ set: { [path]: `\${{ steps.${id}.${answer} }}` } }];
}

const OWN_QUESTION: ReadonlySet<string> = new Set(
  "text options say lang in long third_parties reply_settings expect retries cancel_on reprompt within on_timeout on_invalid".split(
    " ",
  ),
);

function listened(value: unknown, within = "5m"): WrittenMap | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const trigger = isPlainMap(first) ? (first["trigger"] ?? first["platform"]) : first;
  return typeof trigger === "string" ? { wait_for: { trigger, within } } : undefined;
}

/** Translates `wait_for: {event: …, timeout: 10m, else: […]}`; undefined if it has a key without a counterpart. */
function waitFor(value: WrittenMap, around: StepSurroundings): WrittenMap | undefined {
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => {
    if (/^(?:trigger|event|type|on)$/.test(key))
      return ["trigger", typeof one === "string" ? (triggerWord(one) ?? one) : one];
    if (/^(?:within|timeout|for|max|max_wait)$/.test(key) && !Array.isArray(one))
      return ["within", timeOf(one, "s") ?? one];
    if (/^(?:on_timeout|on_expire|timeout_actions)$/.test(key))
      return ["on_timeout", stepListOf(one, around)];
    // the steps below run after an event only, so the steps of `else` end the run
    if (/^(?:else|otherwise|default)$/.test(key)) {
      const steps = stepListOf(one, around);
      return ["on_timeout", steps?.at(-1) === "stop" ? steps : steps && [...steps, "stop"]];
    }
    return key === "conditions" ? [key, one] : ["", one];
  });
  const map = Object.fromEntries(entries);
  const isWhole = entries.every(([key, one]) => key !== "" && one !== undefined);
  return isWhole && map["trigger"] !== undefined
    ? { wait_for: { within: "10m", ...map } }
    : undefined;
}

/** Translates `run: sleep 10` into `delay: 10s`, and `run: echo hello` into `log: hello`. */
function command(value: unknown): WrittenMap | undefined {
  if (typeof value !== "string" || !/\s/.test(value.trim())) return undefined;
  const [, pause] = /^sleep\s+(\d+)$/.exec(value.trim()) ?? [];
  if (pause !== undefined) return { delay: `${pause}s` };
  const [, said] = /^(?:echo|print|printf)\s+(.+)$/.exec(value.trim()) ?? [];
  return said === undefined ? undefined : { log: said.replaceAll(/^["']|["']$/g, "") };
}

function repeated(map: WrittenMap, around: StepSurroundings): WrittenMap | undefined {
  const words: Readonly<Record<string, string>> = {
    times: "count",
    steps: "sequence",
    do: "sequence",
    actions: "sequence",
    items: "for_each",
    each: "for_each",
  };
  const keys = Object.entries(map).map(
    ([key, one]) => [ownMember(words, key) ?? key, one] as const,
  );
  const read = Object.fromEntries(keys);
  const steps = stepListOf(read["sequence"], around);
  return steps && { repeat: { ...read, sequence: steps } };
}

/** Translates `random: [{reply_dm: Hi}, {reply_dm: Hello}]` into one step with several texts. */
function drawn(value: unknown, around: StepSurroundings): WrittenMap | undefined {
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

/** Translates a step with its verb as a value: `{action: reply, message: Hi}`, `{service: notify.me, data: {…}}`. */
function namedStep(map: WrittenMap, around: StepSurroundings): WrittenMap | undefined {
  const key = NAMING.find((one) => typeof map[one] === "string");
  const name = key === undefined ? undefined : asText(map[key]);
  if (key === undefined || name === undefined) return undefined;
  const rest = without(map, [key]);
  if (around.hasText(name) && Object.keys(rest).length === 0) return { reply: { say: name } };
  const argument = ARGUMENTS.map((one) => rest[one]).find(isPlainMap) ?? rest;
  const verb = /^(?:notify|utter|telegram_bot)[._]/i.test(name) ? "send" : name;
  if (Object.keys(argument).length === 0) return undefined;
  const read = ofVerb(verb, onlyText(argument), around);
  return read ?? (Object.hasOwn(STEPS, verb) ? { [verb]: argument } : undefined);
}

/** Returns the text of a map that has no other key; otherwise the map. */
function onlyText(map: WrittenMap): unknown {
  const [only, second] = Object.entries(map);
  return only !== undefined && second === undefined && TEXTS.includes(only[0]) ? only[1] : map;
}

/** Translates `choose: [{conditions, sequence}], default: […]`, and a switch. */
function choice(map: WrittenMap, around: StepSurroundings): WrittenMap | undefined {
  const key = Object.keys(map).find((one) => CHOOSING.test(one));
  const cases: unknown = key === undefined ? undefined : casesOf(map, map[key]);
  if (key === undefined || !Array.isArray(cases)) return undefined;
  const read = cases.map((one: unknown) => (isPlainMap(one) ? oneCase(one, around) : undefined));
  const branches = read.flatMap((one) =>
    one?.test === undefined ? [] : [branchOf({ if: one.test }, one.steps)],
  );
  const last = read.find((one) => one !== undefined && one.test === undefined)?.steps;
  const otherwise = last ?? stepListOf(map["default"] ?? map["else"], around);
  const [first, ...others] = branches;
  if (first === undefined || read.includes(undefined)) return undefined;
  const hasDefault =
    map["default"] !== undefined || map["else"] !== undefined || last !== undefined;
  if (hasDefault && otherwise === undefined) return undefined;
  return {
    ...first,
    ...(others.length > 0 && { else_if: others }),
    ...(otherwise !== undefined && hasDefault && { else: otherwise }),
  };
}

/** Returns the cases of a switch, also of `switch: NAME` with `cases: {VALUE: steps}` beside it. */
function casesOf(map: WrittenMap, chosen: unknown): unknown {
  const cases = map["cases"];
  if (typeof chosen !== "string" || !isPlainMap(cases)) return chosen;
  const name = chosen.replaceAll(/^\$?\{\{|\}\}$/g, "").trim();
  return Object.entries(cases).map(([value, steps]) =>
    value === "default"
      ? { default: steps }
      : branchOf(
          { if: `${name}.same(${JSON.stringify(value)})` },
          Array.isArray(steps) ? steps : [steps],
        ),
  );
}

interface OneCase {
  readonly test: string | undefined;
  readonly steps: readonly unknown[];
}

/** Returns the keys of a step (`if`, `id` and so on) together with the list `then: steps`. */
function branchOf(frame: WrittenMap, steps: readonly unknown[]): WrittenMap {
  return Object.fromEntries(new Map(Object.entries(frame)).set("then", steps));
}

function oneCase(map: WrittenMap, around: StepSurroundings): OneCase | undefined {
  const caseCondition = map["if"] ?? map["conditions"] ?? map["condition"] ?? map["when"];
  const steps = stepListOf(
    map["then"] ?? map["sequence"] ?? map["do"] ?? map["steps"] ?? map["else"] ?? map["default"],
    around,
  );
  if (steps === undefined) return undefined;
  const test = caseCondition === undefined ? undefined : expressionOf(caseCondition, around);
  return caseCondition !== undefined && test === undefined ? undefined : { test, steps };
}

/** Translates a step with `if` and a list of steps under `then`, `do`, `sequence` or `steps`. */
function branch(
  frame: WrittenMap,
  verbs: WrittenMap,
  around: StepSurroundings,
): WrittenMap | undefined {
  if (frame["if"] === undefined) return undefined;
  const then = verbs["then"] ?? verbs["do"] ?? verbs["sequence"] ?? verbs["steps"];
  const others = ["else", "else_if", "then", "do", "sequence", "steps"];
  if (then === undefined || !Object.keys(verbs).every((key) => others.includes(key)))
    return undefined;
  const [yes, no] = [
    stepListOf(then, around),
    verbs["else"] === undefined ? [] : stepListOf(verbs["else"], around),
  ];
  if (yes === undefined || no === undefined) return undefined;
  const { else_if: between } = verbs;
  return {
    ...branchOf(frame, yes),
    ...(between !== undefined && { else_if: between }),
    ...(no.length > 0 && { else: no }),
  };
}

/** Splits the keys of a step: keys that every step can have, such as `id` and `if` (`frame`), and all other keys. */
function parted(
  map: WrittenMap,
  around: StepSurroundings,
): { readonly frame: WrittenMap; readonly verbs: WrittenMap } {
  const frame: Record<string, unknown> = {};
  const verbs: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(map)) {
    const own = ownMember(FRAME_WORDS, key) ?? key;
    const hasOther = Object.keys(map).some((one) => one !== key && !FRAME.includes(one));
    if (own === "if" || own === "unless") {
      const test = expressionOf(value, around);
      frame["if"] = test === undefined ? value : own === "if" ? test : `!${bracketed(test)}`;
    } else if (FRAME.includes(own) && !(own === "name" && !hasOther)) frame[own] = value;
    else verbs[own] = value;
  }
  return { frame, verbs };
}

const FRAME_WORDS: Readonly<Record<string, string>> = {
  when: "if",
  condition: "if",
  conditions: "if",
  unless: "unless",
  continueOnFail: "continue_on_error",
  continueOnError: "continue_on_error",
  "continue-on-error": "continue_on_error",
};

function bracketed(test: string): string {
  return /^[\w.]+(?:\([^()]*\))?$/.test(test) ? test : `(${test})`;
}

/**
 * Converts conditions of another tool to one expression. A text is translated; conditions in a list are joined with
 * `&&`.
 */
export function expressionOf(value: unknown, { conditions }: StepSurroundings): string | undefined {
  if (typeof value === "string") return conditions.expression(value);
  const list = conditions.listOf(value);
  const parts = list?.map(asExpression);
  return parts?.every((part) => part !== undefined) === true ? parts.join(" && ") : undefined;
}

function asExpression(condition: unknown): string | undefined {
  const [first, second] = isPlainMap(condition) ? Object.entries(condition) : [];
  if (first === undefined || second !== undefined) return undefined;
  const [field, wantedValue] = first;
  if (field === "if") return typeof wantedValue === "string" ? wantedValue : undefined;
  if (wantedValue === true) return field;
  if (wantedValue === false) return `!${field}`;
  if (typeof wantedValue === "string") return `${field}.same(${JSON.stringify(wantedValue)})`;
  if (!isPlainMap(wantedValue)) return undefined;
  const [only, other] = Object.entries(wantedValue);
  if (only === undefined || other !== undefined) return undefined;
  const [operator, operand] = only;
  if (typeof operand === "string")
    return operator === "contains_word"
      ? `${field}.has_word(${JSON.stringify(operand)})`
      : undefined;
  const sign = { gt: ">", gte: ">=", lt: "<", lte: "<=" }[operator];
  return sign === undefined || typeof operand !== "number"
    ? undefined
    : `${field} ${sign} ${operand}`;
}

function without(map: WrittenMap, keys: readonly string[]): WrittenMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}
