import { ownMember } from "../../../../system/own-member.ts";
import { asText } from "../../../../text/as-text.ts";
import { STEPS } from "../../../steps/steps.ts";
import { timeOf } from "../other-times.ts";
import { isPlainMap, without, type WrittenMap } from "../plain-map.ts";
import { isSame } from "../same-shape.ts";
import { ASKING, question, savedQuestion, storedAnswer } from "./asked-steps.ts";
import { branch, choice } from "./other-branches.ts";
import { LOOPING, pairs, repeated } from "./other-loops.ts";
import { drawn, onlyText, saying, sayingVerb } from "./other-texts.ts";
import { keepingStep } from "./other-values.ts";
import { aboutPerson, assigned, hasOwnKeys, otherVerb } from "./other-verbs.ts";
import { LISTENING, listened, WAITING, waitFor, waiting } from "./other-waits.ts";
import { isOwnStep, isPlainlyOwn } from "./own-step.ts";
import { FRAME_WORDS, parted } from "./step-frame.ts";
import type { StepSurroundings } from "./step-surroundings.ts";

const LEADING_ON = /^(?:goto|go_?to|next|transition|redirect|jump|call_?rule|run_?rule|flow)$/i;
/** Keys whose value is the verb in another tool's step: `{service: notify, …}`. The other keys are its arguments. */
const NAMING = ["action", "service", "type", "ref", "uses", "step", "name"];
const ARGUMENTS = ["data", "parameters", "params", "with", "args", "options"];

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

/** Translates a list of steps, some of which may be in this language. */
export function stepListOf(
  value: unknown,
  around: StepSurroundings,
): readonly unknown[] | undefined {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const read = items.map((one) => stepsOf(one, around) ?? (isOwnStep(one) ? [one] : undefined));
  return read.every((one) => one !== undefined) ? read.flat() : undefined;
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
  const readSteps = (value: unknown): readonly unknown[] | undefined => stepListOf(value, around);
  const chosen = choice(map, around, readSteps);
  if (chosen !== undefined) return [chosen];
  const { frame, verbs } = parted(map, around);
  const named = namedStep(verbs, around);
  if (named !== undefined) return [{ ...frame, ...named }];
  const branched = branch(frame, verbs, readSteps);
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
  if (second !== undefined) return pairs(frame, verbs, readSteps);
  const [verb, value] = first;
  const askStep = ASKING.test(verb) ? question(value, frame) : undefined;
  if (askStep !== undefined) return [askStep, ...storedAnswer(value)];
  const delayed = delayInside(verb, value, around);
  if (delayed !== undefined) return delayed;
  if (verb === "wait_for" && isPlainMap(value) && !hasOwnKeys(verb, value)) {
    const waitedFor = waitFor(value, readSteps);
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

function ofVerb(verb: string, value: unknown, around: StepSurroundings): WrittenMap | undefined {
  if (WAITING.test(verb)) return waiting(verb, value);
  if (LEADING_ON.test(verb)) return typeof value === "string" ? { run: value } : undefined;
  if (verb === "run") return command(value);
  const handOver = assigned(verb, value);
  if (handOver !== undefined) return handOver;
  const keeping = keepingStep(verb, value, around.declared, around.owner);
  if (keeping !== undefined) return keeping;
  if (LOOPING.test(verb))
    return isPlainMap(value) ? repeated(value, (steps) => stepListOf(steps, around)) : undefined;
  if (/^(?:random|one_of|choice|pick|random_?(?:reply|answer|response|message|text))$/i.test(verb))
    return drawn(value, around);
  const other = otherVerb(verb, value, around.isPublic);
  if (other !== undefined) return other;
  const said = sayingVerb(verb, around);
  return said === undefined ? undefined : saying(said, value);
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

/** Translates `run: sleep 10` into `delay: 10s`, and `run: echo hello` into `log: hello`. */
function command(value: unknown): WrittenMap | undefined {
  if (typeof value !== "string" || !/\s/.test(value.trim())) return undefined;
  const [, pause] = /^sleep\s+(\d+)$/.exec(value.trim()) ?? [];
  if (pause !== undefined) return { delay: `${pause}s` };
  const [, said] = /^(?:echo|print|printf)\s+(.+)$/.exec(value.trim()) ?? [];
  return said === undefined ? undefined : { log: said.replaceAll(/^["']|["']$/g, "") };
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
