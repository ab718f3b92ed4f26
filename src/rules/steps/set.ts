import * as z from "zod";
import type { Path } from "../../config/yaml-document.ts";
import type { Json } from "../../protocol/json.ts";
import { durationMs } from "../../system/duration.ts";
import type { CompileContext } from "../compile/compile-context.ts";
import { stateMistake } from "../compile/state/state-names.ts";
import { type Argument, compileArgument } from "../compile/step-argument.ts";
import { keyOf, STATE_OWNERS, type StateUse } from "../decide/state-keys.ts";
import type { RememberedValue } from "../run/step.ts";
import { duration } from "../schema/pieces.ts";
import { defineStep } from "./step-kind.ts";
import { shownText } from "./written-text.ts";
import { example } from "../explained/explanation.ts";

/** Longest value, as JSON text: state is read with each event that a rule asks it for. */
const MOST = 16_384;

/** `set: {state.sender.NAME: VALUE}` keeps values for later; null takes one away. */
export const set = defineStep({
  example: example`
    actions:
      - set: { state.sender.asked: "\${{ message.text.truncate(100) }}", for: 30d }
  `,
  shape: {
    set: z
      .object({ for: duration.optional().describe("Forget the values after this time.") })
      .catchall(z.unknown())
      .describe("Keep values: state.sender.NAME, state.conversation.NAME, state.account.NAME."),
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
          const given = value(view);
          if (!given.ok) return { kind: "not-ready", message: given.error };
          if (JSON.stringify(given.value).length > MOST) {
            return { kind: "not-ready", message: `the value is longer than ${MOST} characters` };
          }
          writes.push({ key: keyOf(use, event), value: orNothing(given.value), ...expires });
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
  context: CompileContext,
  path: Path,
  name: string,
  written: unknown,
): Setting | undefined {
  const [root = "", owner = "", variable, ...deeper] = name.split(".");
  const of = STATE_OWNERS.find((one) => one === owner);
  const wrong = deeper.length > 0 ? undefined : variable;
  const mistake = root === "state" ? stateMistake(owner, wrong) : undefined;
  if (root !== "state" || of === undefined || variable === undefined || mistake) {
    const message = `"${name}" can't be set`;
    const help = `write  state.sender.NAME, state.conversation.NAME or state.account.NAME`;
    const found = mistake ?? { code: "unknown-key", message, help };
    return context.report([...path, name], found, "key");
  }
  if (of === "sender" && !context.scope.fields.has("sender.id")) {
    const message = `"${name}" needs a person, which ${context.scope.triggers.join(", ")} doesn't always carry`;
    const help = "write  state.account.NAME";
    return context.report([...path, name], { code: "action-not-on-trigger", message, help }, "key");
  }
  const use = { kind: "value", of, name: variable } as const;
  context.uses(use);
  reportReckoning(context, [...path, name], name);
  const value = compileArgument(context, [...path, name], written, shownText);
  return value && { use, value };
}

/** `+1`, `+= 1`, `1++`: what adds to a value in other tools, and is a value of its own here. */
const ADDING = /^(?:([+-])=\s*|(\+)\s*)(\d+(?:\.\d+)?)$/;

/** Warns where a value is set to what reads like a sum. */
function reportReckoning(context: CompileContext, path: Path, name: string): void {
  const source = (context.document.sourceAt(path) ?? "").trim();
  const [, sign, plus, number] = ADDING.exec(source) ?? [];
  const sum = new RegExp(
    String.raw`^${name.replaceAll(".", String.raw`\.`)}(?:\.orValue\(0\))?\s*([-+*/])\s*(\d+(?:\.\d+)?)$`,
  ).exec(source);
  const [operator, by] = [sign ?? plus ?? sum?.[1], number ?? sum?.[2]];
  if (operator === undefined || by === undefined) return;
  context.report(path, {
    code: "expression-as-text",
    severity: "warning",
    message: `this sets ${source.startsWith("+") && plus !== undefined ? by : "a text"}, and adds nothing`,
    help: `to have it worked out write  ${name}: "\${{ ${name}.orValue(0) ${operator} ${by} }}"`,
  });
}

function orNothing(value: Json): Json | undefined {
  return value === null ? undefined : value;
}
