import { checked, valueAt } from "../config/checked.ts";
import type { Path } from "../config/yaml-document.ts";
import type { Desk } from "./desk.ts";
import { durationMs } from "./duration.ts";
import type { Expression } from "./expression.ts";
import { laterWord } from "./later.ts";
import { type StepMap, stepMap } from "./rule-file.ts";
import type { Step, StepBody } from "./step.ts";
import { compileArgument } from "./step-argument.ts";
import type { Template } from "./template.ts";

const VERBS = ["reply_dm", "reply_post", "like", "follow", "call", "log", "stop"] as const;
type Verb = (typeof VERBS)[number];

/** Compiles the list of steps at `path`. Faults go to the desk. */
export function compileSteps(desk: Desk, path: Path): Step[] {
  const list = valueAt(desk.document.value, path);
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    desk.report(path, {
      code: "wrong-type",
      message: "steps are a list",
      help: 'start each with "- "',
    });
    return [];
  }
  return list.flatMap((item: unknown, index) => compileStep(desk, [...path, index], item) ?? []);
}

function compileStep(desk: Desk, path: Path, item: unknown): Step | undefined {
  if (typeof item === "string") return compileBareStep(desk, path, item);
  const later = (key: string) => laterWord("step", key);
  const { value, problems } = checked(stepMap, desk.document, {
    at: path,
    within: " in a step",
    later,
  });
  for (const problem of problems) desk.add(problem);
  if (!value || value.enabled === false) return undefined;
  const verbs = VERBS.filter((verb) => value[verb] !== undefined);
  const [verb, second] = verbs;
  if (second !== undefined) return misIndented(desk, path, item, verbs);
  const body = verb === undefined ? branch(desk, path, value) : verbBody(desk, path, verb, value);
  const condition =
    verb === undefined || value.if === undefined ? undefined : desk.condition([...path, "if"]);
  const onError = compileSteps(desk, [...path, "on_error"]);
  if (!body) return undefined;
  return {
    ...body,
    label: desk.label(path),
    continueOnError: value.continue_on_error ?? false,
    onError,
    ...(value.id === undefined ? {} : { id: value.id }),
    ...(condition === undefined ? {} : { condition }),
  };
}

function compileBareStep(desk: Desk, path: Path, word: string): Step | undefined {
  const frame = { label: desk.label(path), continueOnError: false, onError: [] };
  if (word === "like" || word === "follow") {
    return allowed(desk, path, word) ? { ...frame, verb: word } : undefined;
  }
  if (word === "stop") {
    const reason = desk.template(path, "stop");
    return reason && { ...frame, verb: "stop", outcome: "stopped", reason };
  }
  const later = laterWord("step", word);
  if (later !== undefined)
    return desk.report(path, { code: "not-in-this-version", message: later });
  const message = `"${word}" is not a step that stands alone`;
  return desk.report(path, {
    code: "unknown-word",
    message,
    help: "alone stand: like, follow, stop",
  });
}

function misIndented(desk: Desk, path: Path, item: unknown, verbs: readonly Verb[]): undefined {
  const order = Object.keys(typeof item === "object" && item !== null ? item : {});
  const [first = "", second = ""] = [...verbs].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return desk.report(
    [...path, second],
    {
      code: "mis-indented-step",
      message: `"${second}" stands in the same step as "${first}": a step does one thing`,
      help: `start it with "- ", in line with the step of "${first}"`,
    },
    "key",
  );
}

function branch(desk: Desk, path: Path, value: StepMap): StepBody | undefined {
  if (value.if === undefined || (value.then === undefined && value.else === undefined)) {
    const message = value.if === undefined ? "this step does nothing" : '"if" has no "then"';
    const help = `a step has one of: ${VERBS.join(", ")}; or if, then, else`;
    return desk.report(path, { code: "no-verb", message, help });
  }
  const test = desk.condition([...path, "if"]);
  const whenTrue = compileSteps(desk, [...path, "then"]);
  const whenFalse = compileSteps(desk, [...path, "else"]);
  return test && { verb: "branch", test, whenTrue, whenFalse };
}

function verbBody(desk: Desk, path: Path, verb: Verb, value: StepMap): StepBody | undefined {
  const stray = strayKey(verb, value);
  if (stray !== undefined) {
    const message = `"${stray}" has no meaning beside "${verb}"`;
    return desk.report([...path, stray], { code: "unknown-key", message }, "key");
  }
  if (!allowed(desk, path, verb)) return undefined;
  switch (verb) {
    case "reply_dm":
    case "reply_post": {
      const text = sentText(desk, inside([...path, verb], value[verb], "text"));
      return text && { verb, text };
    }
    case "like":
      return { verb };
    case "follow": {
      if (typeof value.follow !== "string") return { verb };
      const user = desk.template([...path, verb], value.follow);
      return user && { verb, user };
    }
    case "call":
      return callBody(desk, path, value);
    case "log": {
      const level = typeof value.log === "object" ? value.log.level : "info";
      const message = sentText(desk, inside([...path, verb], value.log, "message"));
      return message && { verb, level, message };
    }
    case "stop": {
      const outcome = typeof value.stop === "object" ? value.stop.outcome : "stopped";
      const reason = sentText(desk, inside([...path, verb], value.stop, "reason"));
      return reason && { verb, outcome, reason };
    }
  }
}

function strayKey(verb: Verb, value: StepMap): "then" | "else" | "with" | "timeout" | undefined {
  if (value.then !== undefined) return "then";
  if (value.else !== undefined) return "else";
  if (verb === "call") return undefined;
  if (value.with !== undefined) return "with";
  return value.timeout === undefined ? undefined : "timeout";
}

/** The path of the text in a step that is text or a map with text in it. */
function inside(path: Path, value: unknown, key: string): Path {
  return typeof value === "object" ? [...path, key] : path;
}

/** A text that people or logs will see: no secret may stand in it. */
function sentText(desk: Desk, path: Path): Template | undefined {
  const template = desk.template(path, desk.document.sourceAt(path) ?? "");
  const secret = template?.expressions.find((one: Expression) => one.roots.has("secrets"));
  if (secret) {
    const message = "a secret would be shown: secrets may stand in the argument of call only";
    return desk.report(path, { code: "secret-in-text", message }, { text: secret.source });
  }
  return template;
}

function callBody(desk: Desk, path: Path, value: StepMap): StepBody | undefined {
  const [, module, name] =
    /^(\.{1,2}\/[^#]+\.(?:ts|js|mjs))#([A-Za-z_$][\w$]*)$/.exec(value.call ?? "") ?? [];
  if (module === undefined || name === undefined) {
    const message = `"${value.call}" names no function of a module`;
    const help = "write ./file.ts#function, the path starting from this file";
    return desk.report([...path, "call"], { code: "call-target", message, help });
  }
  const argument = compileArgument(desk, [...path, "with"], value.with ?? {});
  const timeoutMs = value.timeout === undefined ? {} : { timeoutMs: durationMs(value.timeout) };
  return argument && { verb: "call", module, export: name, argument, ...timeoutMs };
}

const NEEDS: Readonly<Partial<Record<Verb, { field: string; what: string }>>> = {
  reply_dm: { field: "sender.id", what: "a person" },
  follow: { field: "sender.id", what: "a person" },
  reply_post: { field: "post.author.id", what: "a post" },
  like: { field: "post.author.id", what: "a post" },
};

/** Does every trigger of the rule carry what the verb acts on? */
function allowed(desk: Desk, path: Path, verb: Verb): boolean {
  const need = NEEDS[verb];
  if (!need || desk.scope.fields.has(need.field)) return true;
  const triggers = desk.scope.triggers.join(", ");
  const message = `"${verb}" needs ${need.what}, which ${triggers} doesn't always carry`;
  const key = typeof valueAt(desk.document.value, path) === "string" ? path : [...path, verb];
  desk.report(key, { code: "action-not-on-trigger", message }, "key");
  return false;
}
