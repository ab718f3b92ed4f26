import * as z from "zod";
import { type ReportConversion, conversionParameters } from "../../../actions/report-conversion.ts";
import {
  DEFAULT_CLICK_WINDOW,
  DEFAULT_VIEW_WINDOW,
} from "../../../actions/attributed-conversion.ts";
import { didYouMean } from "../../../config/did-you-mean.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { counterpartOf } from "../../../events/kinds/kinds.ts";
import type { Json } from "../../../protocol/json.ts";
import type { StepContext } from "../step-context.ts";
import { type Argument, compileArgument } from "../written/step-argument.ts";
import type { StepOutcome, StepRun } from "../../run/step.ts";
import { scalar } from "../../schema/pieces.ts";
import { defineStep } from "../step-kind.ts";
import { shownText } from "../written/written-text.ts";
import { example } from "../../example.ts";

const PARAMETERS = conversionParameters.shape;
type Parameter = keyof typeof PARAMETERS;

/** Parameters as written. Each may be a template, so the values are checked separately. */
const written = z.strictObject({
  app_id: scalar.describe("App store identifier."),
  conversion_type: scalar.describe("SIGN_UP, PURCHASE and the others of the interface."),
  conversion_time: scalar.describe("When it happened, with milliseconds: ${{ event.time }}."),
  os_type: scalar.describe("IOS or ANDROID."),
  hashed_device_id: scalar.describe("Where it comes to nothing, the step is skipped."),
  ...optional([
    "click_window",
    "view_through_window",
    "device_ip_address",
    "level",
    "non_platform_engagement_time",
    "non_platform_engagement_type",
    "number_items",
    "price_currency",
    "price_micro",
    "user_payment_info",
  ]),
});

function optional(
  names: readonly Parameter[],
): Readonly<Record<string, z.ZodOptional<typeof scalar>>> {
  return Object.fromEntries(names.map((name) => [name, scalar.optional()]));
}

/** `report_conversion: {app_id, …}` reports a conversion to the measurement interface. */
export const reportConversion = defineStep({
  example: example`
    conditions: [{ message.text: { contains_word: sign me up } }]
    actions:
      - report_conversion:
          app_id: "7"
          conversion_type: SIGN_UP
          conversion_time: \${{ event.time }}
          os_type: IOS
          hashed_device_id: \${{ state.sender.device.orValue("") }}
  `,
  shape: {
    report_conversion: written.describe(
      "Report a conversion to the measurement interface, with the interface's parameter names.",
    ),
  },
  compile({ context, path, keys }) {
    const at = [...path, "report_conversion"];
    const values = new Map<string, Argument>();
    let isWhole = true;
    for (const [name, value] of Object.entries(keys.report_conversion)) {
      if (value === undefined) continue;
      const compiled = compileParameter(context, [...at, name], name, value);
      if (compiled === undefined) isWhole = false;
      else values.set(name, compiled);
    }
    if (!isWhole || !areWindowsFitting(context, at, keys.report_conversion)) return undefined;
    return { action: "report_conversion", perform: (run) => reported(values, run) };
  },
});

function compileParameter(
  context: StepContext,
  path: Path,
  name: string,
  value: z.infer<typeof scalar>,
): Argument | undefined {
  if (typeof value === "string" && value.includes("${{")) {
    return compileArgument(context, path, value, shownText);
  }
  if (name === "hashed_device_id" && typeof value === "string" && !isHash(value)) {
    const message = `"${value}" is no ${name}: an HMAC-SHA-256 has 64 hexadecimal digits`;
    const help = "write the hash of the advertising identifier, not the identifier";
    return context.report(path, { code: "conversion-value", message, help });
  }
  const fixed = readParameter(name, value);
  if (fixed.ok) return () => ({ ok: true, value: fixed.value });
  const guess = didYouMean(String(value), fixed.words);
  const help = guess === undefined ? fixed.help : `did you mean "${guess}"?`;
  const message = `${JSON.stringify(value)} is no ${name}`;
  return context.report(path, { code: "conversion-value", message, help });
}

/** Whether a text is a hash of 64 hexadecimal digits, or empty, which skips the step. */
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

/** Returns the mistake in two windows in days; none if one is a template. */
function windowMistake(click: unknown = DEFAULT_CLICK_WINDOW, view: unknown = DEFAULT_VIEW_WINDOW) {
  if (typeof click !== "number" || typeof view !== "number" || click >= view) return undefined;
  const message = `a click_window of ${click} days is shorter than a view_through_window of ${view} days`;
  return { message, help: `write a click_window of ${view} days or more` };
}

type Read =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly words: readonly string[]; readonly help: string };

/** Converts a value for the interface: ids become texts, times get milliseconds. */
function readParameter(name: string, value: Json): Read {
  const schema = isParameter(name) ? PARAMETERS[name] : z.never();
  const convertedValue =
    typeof value === "number" && (name === "app_id" || name === "hashed_device_id")
      ? String(value)
      : name === "conversion_time" && typeof value === "string"
        ? withMilliseconds(value)
        : value;
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

function isParameter(name: string): name is Parameter {
  return Object.hasOwn(PARAMETERS, name);
}

/** Adds milliseconds to a time such as `2026-03-01T09:00:00Z`, as the interface requires. */
function withMilliseconds(time: string): string {
  return time.replace(/(T\d\d:\d\d:\d\d)(?!\.)/, "$1.000");
}

function reported(values: ReadonlyMap<string, Argument>, { view, event }: StepRun): StepOutcome {
  const renderedValues: Record<string, Json> = {};
  for (const [name, value] of values) {
    const rendered = value(view);
    if (!rendered.ok) return { kind: "not-ready", message: `${name}: ${rendered.error}` };
    if (name === "hashed_device_id" && isNothing(rendered.value)) {
      const message = "report_conversion is skipped: hashed_device_id is empty";
      return { kind: "log", level: "info", message, skips: true };
    }
    const read = readParameter(name, rendered.value);
    if (!read.ok) {
      const message = `${name} is ${JSON.stringify(rendered.value)}: ${read.help}`;
      return { kind: "not-ready", message };
    }
    renderedValues[name] = read.value;
  }
  const mistake = windowMistake(
    renderedValues["click_window"],
    renderedValues["view_through_window"],
  );
  if (mistake) return { kind: "not-ready", message: `${mistake.message}: ${mistake.help}` };
  const to = counterpartOf(event) ?? event.accountId;
  const conversion = conversionParameters.parse(renderedValues);
  const action: ReportConversion = { type: "report_conversion", to, ...conversion };
  return { kind: "action", action };
}

function isNothing(value: Json): boolean {
  return value === null || (typeof value === "string" && value.trim() === "");
}
