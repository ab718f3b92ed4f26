import { asText } from "../../../text/as-text.ts";
import * as z from "zod";
import {
  DEFAULT_CLICK_WINDOW,
  DEFAULT_VIEW_WINDOW,
} from "../../../actions/attributed-conversion.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { Json } from "../../../protocol/json.ts";
import type { View } from "../../expression/view.ts";
import type { StepOutcome } from "../../run/step.ts";
import { scalar } from "../../schema/pieces.ts";
import type { StepContext } from "../step-context.ts";
import { type Argument, compileArgument } from "../written/step-argument.ts";
import { shownText } from "../written/written-text.ts";

/** Schemas of the parameters of a request about a conversion, by name. */
type ParameterSchemas = Readonly<Record<string, z.ZodType<Json | undefined>>>;

/**
 * Parameters that identify a conversion, as written in a rule file. Each may be a template, so the values are checked
 * separately.
 */
export const writtenConversionKey = {
  app_id: scalar.describe("App store identifier."),
  conversion_type: scalar.describe("SIGN_UP, PURCHASE and the others of the interface."),
  conversion_time: scalar.describe("Time of the conversion, with milliseconds: ${{ event.time }}."),
  os_type: scalar.describe("IOS or ANDROID."),
  hashed_device_id: scalar.describe("If the value is empty, the step is skipped."),
  click_window: scalar.optional(),
  view_through_window: scalar.optional(),
  non_platform_engagement_time: scalar.optional(),
  non_platform_engagement_type: scalar.optional(),
};

/** Compiled parameters of a conversion. */
export interface ConversionTemplate {
  /** Returns the values by name, or the outcome of the step if a value is missing or invalid. */
  readonly render: (view: View) => RenderedConversion;
}

type RenderedConversion =
  | { readonly ok: true; readonly values: Readonly<Record<string, Json>> }
  | { readonly ok: false; readonly outcome: StepOutcome };

/**
 * Compiles the parameters of a conversion. Problems go to the context.
 *
 * @param verb Name of the step, for its log line.
 */
export function compileConversion(
  context: StepContext,
  path: Path,
  written: Readonly<Record<string, z.infer<typeof scalar> | undefined>>,
  { schemas, verb }: { readonly schemas: ParameterSchemas; readonly verb: string },
): ConversionTemplate | undefined {
  const values = new Map<string, Argument>();
  let isWhole = true;
  for (const [name, value] of Object.entries(written)) {
    if (value === undefined) continue;
    const compiled = compileParameter(context, [...path, name], { name, value, schemas });
    if (compiled === undefined) isWhole = false;
    else values.set(name, compiled);
  }
  if (!isWhole || !areWindowsFitting(context, path, written)) return undefined;
  return { render: (view) => rendered(values, view, { schemas, verb }) };
}

function compileParameter(
  context: StepContext,
  path: Path,
  {
    name,
    value,
    schemas,
  }: {
    readonly name: string;
    readonly value: z.infer<typeof scalar>;
    readonly schemas: ParameterSchemas;
  },
): Argument | undefined {
  if (typeof value === "string" && value.includes("${{")) {
    return compileArgument(context, path, value, shownText);
  }
  const fixed = readParameter(schemas, name, value);
  if (fixed.ok) return () => ({ ok: true, value: fixed.value });
  const guess = didYouMean(asText(value), fixed.words);
  const help = guess === undefined ? fixed.help : `did you mean "${guess}"?`;
  const message = `${JSON.stringify(value)} is no ${name}`;
  return context.report(path, { code: "conversion-value", message, help });
}

/** Returns whether a value is a hash of 64 hexadecimal digits, or empty: the step is then skipped. */
function isHash(value: string): boolean {
  return value.trim() === "" || /^[0-9a-f]{64}$/i.test(value);
}

/** Reports a click window that is shorter than the view window. Windows in templates are compared when the step runs. */
function areWindowsFitting(
  context: StepContext,
  path: Path,
  parameters: Readonly<Partial<Record<string, unknown>>>,
): boolean {
  const { click_window: click, view_through_window: view } = parameters;
  const mistake = windowMistake(click, view);
  if (mistake === undefined) return true;
  const at = view === undefined ? "click_window" : "view_through_window";
  context.report([...path, at], { code: "conversion-value", ...mistake });
  return false;
}

/**
 * Returns the mistake if the click window is shorter than the view window, in days. Ignores windows that are templates.
 */
function windowMistake(click: unknown = DEFAULT_CLICK_WINDOW, view: unknown = DEFAULT_VIEW_WINDOW) {
  if (typeof click !== "number" || typeof view !== "number" || click >= view) return undefined;
  const message = `a click_window of ${click} days is shorter than a view_through_window of ${view} days`;
  return { message, help: `write a click_window of ${view} days or more` };
}

type Read =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly words: readonly string[]; readonly help: string };

/**
 * Converts and checks a value for the conversion interface: ids become texts, times get milliseconds. Refuses a device
 * identifier that is not hashed: the platform would accept and store it.
 */
function readParameter(schemas: ParameterSchemas, name: string, value: Json): Read {
  const schema = (Object.hasOwn(schemas, name) ? schemas[name] : undefined) ?? z.never();
  const convertedValue =
    typeof value === "number" && (name === "app_id" || name === "hashed_device_id")
      ? asText(value)
      : name === "conversion_time" && typeof value === "string"
        ? withMilliseconds(value)
        : value;
  if (
    name === "hashed_device_id" &&
    typeof convertedValue === "string" &&
    !isHash(convertedValue)
  ) {
    const help = "write the HMAC-SHA-256 of the advertising identifier: 64 hexadecimal digits";
    return { ok: false, words: [], help };
  }
  const read = schema.safeParse(convertedValue);
  if (read.success && read.data !== undefined) return { ok: true, value: read.data };
  const words = schema instanceof z.ZodEnum ? schema.options.map(String) : [];
  const [issue] = read.error?.issues ?? [];
  const said = issue?.message ?? "nothing is given";
  const help = words.length > 0 ? `write one of: ${words.join(", ")}` : `write ${wantedOf(said)}`;
  return { ok: false, words, help };
}

/** Extracts the wanted value from a message such as `Invalid input: expected int, received string`. */
function wantedOf(said: string): string {
  return /expected ([^,]+),/.exec(said)?.[1] ?? said.replace(/^Invalid option: expected /, "");
}

/** Adds milliseconds to a time such as `2026-03-01T09:00:00Z`, as the interface requires. */
function withMilliseconds(time: string): string {
  return time.replace(/(T\d\d:\d\d:\d\d)(?!\.)/, "$1.000");
}

function rendered(
  values: ReadonlyMap<string, Argument>,
  view: View,
  { schemas, verb }: { readonly schemas: ParameterSchemas; readonly verb: string },
): RenderedConversion {
  const renderedValues: Record<string, Json> = {};
  for (const [name, value] of values) {
    const renderedValue = value(view);
    if (!renderedValue.ok) return notReady(`${name}: ${renderedValue.error}`);
    if (name === "hashed_device_id" && isNothing(renderedValue.value)) {
      const message = `${verb} is skipped: hashed_device_id is empty`;
      return { ok: false, outcome: { kind: "log", level: "info", message, skips: true } };
    }
    const read = readParameter(schemas, name, renderedValue.value);
    if (!read.ok)
      return notReady(`${name} is ${JSON.stringify(renderedValue.value)}: ${read.help}`);
    renderedValues[name] = read.value;
  }
  const { click_window: click, view_through_window: viewed } = renderedValues;
  const mistake = windowMistake(click, viewed);
  if (mistake) return notReady(`${mistake.message}: ${mistake.help}`);
  return { ok: true, values: renderedValues };
}

function notReady(message: string): RenderedConversion {
  return { ok: false, outcome: { kind: "not-ready", message } };
}

function isNothing(value: Json): boolean {
  return value === null || (typeof value === "string" && value.trim() === "");
}
