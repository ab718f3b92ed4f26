import { STATE_PATH } from "../../../expression/state-names.ts";
import { timeOf } from "../other-times.ts";
import { isPlainMap, without, type WrittenMap } from "../plain-map.ts";
import { askedAnswer } from "./other-questions.ts";
import { SAVING } from "./other-verbs.ts";

export const ASKING = /^(?:ask|question|prompt|ask_?question)$/i;

const OWN_QUESTION: ReadonlySet<string> = new Set(
  "text options say lang in long third_parties reply_settings expect retries cancel_on reprompt within on_timeout on_invalid".split(
    " ",
  ),
);

/** Translates a question with a name for its answer beside it: `ask: Who are you?`, `save_as: who`. */
export function savedQuestion(frame: WrittenMap, verbs: WrittenMap): WrittenMap | undefined {
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

export function question(value: unknown, frame: WrittenMap): WrittenMap | undefined {
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
export function storedAnswer(value: unknown): readonly unknown[] {
  const path = isPlainMap(value)
    ? SAVING.map((key) => value[key]).find((one) => typeof one === "string" && STATE_PATH.test(one))
    : undefined;
  if (typeof path !== "string") return [];
  const id = path.split(".").at(-1) ?? "";
  const expect = isPlainMap(value) ? askedAnswer(value)["expect"] : undefined;
  const answer = isPlainMap(expect) && expect["in"] !== undefined ? "choice" : "text";
  return [{ set: { [path]: `\${{ steps.${id}.${answer} }}` } }];
}
