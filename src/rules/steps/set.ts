import { asText } from "../../text/as-text.ts";
import * as z from "zod";
import type { Mistake } from "../../config/problem.ts";
import type { Path } from "../../config/yaml-document.ts";
import type { Json } from "../../protocol/json.ts";
import { durationMs } from "../../system/duration.ts";
import type { StepContext } from "./step-context.ts";
import { stateTarget } from "./written/state-target.ts";
import { type ValueKind, valueKind } from "../expression/value-types/state-types.ts";
import { typeOfConstant } from "../expression/value-types/constant-type.ts";
import { type Argument, compileArgument } from "./written/step-argument.ts";
import { keyOf, type StateUse } from "../schema/state-keys.ts";
import type { RememberedValue } from "../run/step.ts";
import { positiveDuration } from "../schema/pieces.ts";
import { defineStep } from "./step-kind.ts";
import { isTooLong, stateValue } from "./written/written-text.ts";
import { example } from "../example.ts";

/** Maximum length of a value in characters of JSON: state is loaded with each event whose rules read it. */
const MAX_VALUE_LENGTH = 16_384;

/** `set: {state.sender.NAME: VALUE}` stores values as user state; null deletes a value. */
export const set = defineStep({
  example: example`
    actions:
      - set: { state.sender.asked: "\${{ message.text.truncate(100) }}", for: 30d }
  `,
  shape: {
    set: z
      .object({ for: positiveDuration.optional().describe("Forget the values after this time.") })
      .catchall(z.unknown())
      .describe("Store values: state.sender.NAME, state.conversation.NAME, state.account.NAME."),
  },
  compile({ context, path, keys }) {
    const { for: lasts, ...values } = keys.set;
    const at = [...path, "set"];
    if (Object.keys(values).length === 0) {
      const help = "write  set: {state.sender.NAME: VALUE}";
      return context.report(at, { code: "missing-key", message: "nothing is set here", help });
    }
    const settings = Object.entries(values).map(([name, value]) =>
      compileSetting(context, at, name, value),
    );
    if (!settings.every((setting) => setting !== undefined)) return undefined;
    return {
      perform({ event, view, now }) {
        const expires = lasts === undefined ? {} : { expiresAt: now + durationMs(lasts) };
        const writes: RememberedValue[] = [];
        for (const { use, value } of settings) {
          const evaluatedValue = value(view);
          if (!evaluatedValue.ok) return { kind: "not-ready", message: evaluatedValue.error };
          if (JSON.stringify(evaluatedValue.value).length > MAX_VALUE_LENGTH) {
            return {
              kind: "not-ready",
              message: `the value is longer than ${MAX_VALUE_LENGTH} characters`,
            };
          }
          writes.push({
            key: keyOf(use, event),
            value: orNothing(evaluatedValue.value),
            ...expires,
          });
        }
        return { kind: "remember", writes };
      },
    };
  },
});

interface Setting {
  readonly use: StateUse;
  readonly value: Argument;
}

function compileSetting(
  context: StepContext,
  path: Path,
  name: string,
  written: unknown,
): Setting | undefined {
  const at = [...path, name];
  const use = stateTarget(context, at, name, "key");
  const limit = { what: "a stored value", max: MAX_VALUE_LENGTH };
  if (use === undefined || isTooLong(context, at, JSON.stringify(written), limit)) return undefined;
  let type = typeOfConstant(written);
  const value = compileArgument(context, at, written, (here, place) => {
    const template = stateValue(here, place);
    if (place.length === at.length) type = template?.type ?? "dyn";
    return template;
  });
  if (written !== null) context.notesState(name, type, "keeps", at);
  const declared = context.scope.declared?.get(name);
  const [kind, wanted] = [valueKind(type), valueKind(declared?.type ?? "")];
  const reckoning = reckoningIn(context, at, name);
  if (kind !== undefined && wanted !== undefined && kind !== wanted) {
    const message = `${name} is declared as ${wanted}, and this is ${kind}`;
    const help = reckoning?.help ?? declaredHelp(wanted, written);
    return context.report(at, { code: "state-type", message, help });
  }
  if (reckoning !== undefined) context.report(at, reckoning);
  return value && { use, value };
}

function declaredHelp(wanted: ValueKind, written: unknown): string {
  const inner = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(asText(written))?.[1]?.trim();
  if (wanted === "number" && inner !== undefined) return `write  "\${{ number(${inner}) }}"`;
  if (wanted === "text" && inner !== undefined) return `write  "\${{ string(${inner}) }}"`;
  return `store ${wanted}, or declare another default under  state:`;
}

/** Matches `+1` and `+= 1`, which add in other tools but are plain texts here. Longer numbers may be phone numbers. */
const ADDING = /^(?:([+-])=\s*|(\+)\s*)(\d{1,4}(?:\.\d+)?)$/;

/** Matches names of state that hold a time: `last_seen`, `asked_at`. */
const OF_TIME = /(?:_at|_on|time|date|last|seen|since|until)(?:_|$)|^(?:last|next|start)/;

/** Matches `now + 1d`: times are not added, but compared. */
const NOW_AND = /^now(?:\(\))? *\+ *(\d+[smhd])$/;

/** Returns the expression that a text such as `now` or `sender.name` means as a value. */
function valueNamed(context: StepContext, name: string, source: string): string | undefined {
  const leaf = name.slice(name.lastIndexOf(".") + 1);
  if (/^now(?:\(\))?$/.test(source)) return OF_TIME.test(leaf) ? "now" : undefined;
  return source.includes(".") && context.scope.fields.has(source) ? source : undefined;
}

/** Returns the warning about a value that looks like a sum. */
function reckoningIn(context: StepContext, path: Path, name: string): Mistake | undefined {
  const source = (context.document.sourceAt(path) ?? "").trim();
  const [, sign, plus, number] = ADDING.exec(source) ?? [];
  const [, added] = NOW_AND.exec(source) ?? [];
  if (added !== undefined) {
    return {
      code: "expression-as-text",
      severity: "warning",
      message: `this sets the text "${source}"`,
      help: `set the time of now, as  ${name}: "\${{ now }}", and compare it later, as  ${name}: { older_than: ${added} }`,
    };
  }
  const evaluated = valueNamed(context, name, source);
  if (evaluated !== undefined) {
    return {
      code: "expression-as-text",
      severity: "warning",
      message: `this sets the text "${source}"`,
      help: `to set the value, write  ${name}: "\${{ ${evaluated} }}"`,
    };
  }
  const leaf = name.slice(name.lastIndexOf(".") + 1);
  const sum = new RegExp(
    String.raw`^(?:${name.replaceAll(".", String.raw`\.`)}|${leaf})(?:\.orValue\(0\))?\s*([-+*/])\s*(\d+(?:\.\d+)?)$`,
  ).exec(source);
  const [operator, by] = [sign ?? plus ?? sum?.[1], number ?? sum?.[2]];
  if (operator === undefined || by === undefined) return undefined;
  const before = context.scope.declared?.has(name) === true ? name : `${name}.orValue(0)`;
  return {
    code: "expression-as-text",
    severity: "warning",
    message: `this sets ${source.startsWith("+") && plus !== undefined ? by : "a text"}, and adds nothing`,
    help: `to evaluate it, write  ${name}: "\${{ ${before} ${operator} ${by} }}"`,
  };
}

function orNothing(value: Json): Json | undefined {
  return value === null ? undefined : value;
}
