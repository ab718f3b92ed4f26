import * as z from "zod";
import type { Path } from "../../config/yaml-document.ts";
import type { Json } from "../../protocol/json.ts";
import { durationMs } from "../../system/duration.ts";
import type { CompileContext } from "../compile/compile-context.ts";
import { stateTarget } from "../compile/state/state-target.ts";
import { type Argument, compileArgument } from "../compile/step-argument.ts";
import { keyOf, type StateUse } from "../decide/state-keys.ts";
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
  const use = stateTarget(context, [...path, name], name, "key");
  if (use === undefined) return undefined;
  const value = compileArgument(context, [...path, name], written, shownText);
  return value && { use, value };
}

function orNothing(value: Json): Json | undefined {
  return value === null ? undefined : value;
}
