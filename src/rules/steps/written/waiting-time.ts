import type { Path } from "../../../config/yaml-document.ts";
import { durationMs } from "../../../system/duration.ts";
import { spokenDurationMs } from "../../../text/spoken-duration.ts";
import type { StepContext } from "../step-context.ts";
import type { Evaluated } from "../../expression/expression.ts";
import type { TextTemplate } from "../../expression/template.ts";
import type { View } from "../../expression/view.ts";
import { MAX_DURATION_MS, moment, WITH_EXPRESSION } from "../../schema/pieces.ts";
import { shownText } from "./written-text.ts";

/** Evaluates to milliseconds: the length of a wait, or the time of its end. */
type WaitingTime = (view: View) => Evaluated<number>;

/** Compiles the duration at `path`, a constant or a text with expressions, to milliseconds. */
export function compileDuration(
  context: StepContext,
  path: Path,
  text: string,
): WaitingTime | undefined {
  if (!WITH_EXPRESSION.test(text)) {
    const value = durationMs(text);
    return () => ({ ok: true, value });
  }
  const template = shownText(context, path);
  if (template === undefined) return undefined;
  if (NEVER_TEXT.test(template.type)) {
    const help = `add its unit, as m for minutes:  "${text}m"`;
    return context.report(path, { code: "invalid-value", message: NO_UNIT, help });
  }
  return (view) => read(template, view, durationOf);
}

/** Compiles the time at `path`, a constant or a text with an expression, to milliseconds since the epoch. */
export function compileMoment(
  context: StepContext,
  path: Path,
  text: string,
): WaitingTime | undefined {
  if (!WITH_EXPRESSION.test(text)) {
    const value = Date.parse(text);
    return () => ({ ok: true, value });
  }
  const template = shownText(context, path);
  if (template === undefined) return undefined;
  if (NEVER_TEXT.test(template.type)) {
    const help = `write an expression that gives a time, or for a duration:  delay: "${text}m"`;
    return context.report(path, { code: "invalid-value", message: NO_TIME, help });
  }
  return (view) => read(template, view, momentOf);
}

/** CEL types whose values can be rendered in a text but cannot be a duration or a time, which are written as text. */
const NEVER_TEXT = /^(?:int|uint|double|bool|list<.*)$/;
const NO_UNIT = "this comes to a number without a unit, not to a duration";
const NO_TIME = "this comes to a number, not to a time";
/** Maximum length of an invalid text in an error message, in characters. */
const MAX_QUOTED = 40;

function read(
  template: TextTemplate,
  view: View,
  parse: (text: string) => Evaluated<number>,
): Evaluated<number> {
  const text = template.value(view);
  if (!text.ok) return text;
  return parse(typeof text.value === "string" ? text.value : JSON.stringify(text.value));
}

function durationOf(text: string): Evaluated<number> {
  const value = spokenDurationMs(text);
  if (value === undefined) {
    return no(text, 'is not a duration: a number and a unit are wanted, as "10m" or "2 hours"');
  }
  return value <= MAX_DURATION_MS ? { ok: true, value } : no(text, "is too long: at most 36500d");
}

function momentOf(text: string): Evaluated<number> {
  return moment.safeParse(text).success
    ? { ok: true, value: Date.parse(text) }
    : no(text, "is not a time: date, time and zone are wanted, as 2026-03-01T00:00:00+01:00");
}

function no(text: string, why: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error: `"${text.slice(0, MAX_QUOTED)}" ${why}` };
}

/**
 * Returns the time limit of a step that waits, in milliseconds. Reports a missing limit: the run would wait for ever.
 */
export function withinMs(
  context: StepContext,
  path: Path,
  within: string | undefined,
): number | undefined {
  if (within !== undefined) return durationMs(within);
  const verb = String(path.at(-1));
  const message = `"${verb}" has no time limit: the run would wait forever`;
  const help = "add  within: 15m  and  on_timeout:";
  return context.report(path, { code: "wait-without-limit", message, help }, "key");
}
