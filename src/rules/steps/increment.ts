import * as z from "zod";
import type { Path } from "../../config/yaml-document.ts";
import type { Json } from "../../protocol/json.ts";
import { durationMs } from "../../system/duration.ts";
import type { StepContext } from "./step-context.ts";
import type { Evaluated } from "../expression/expression.ts";
import { stateTarget, type StateTarget } from "./written/state-target.ts";
import { type Argument, compileArgument } from "./written/step-argument.ts";
import { keyOf } from "../schema/state-keys.ts";
import type { RememberedValue } from "../run/step.ts";
import { positiveDuration, text, withExpression } from "../schema/pieces.ts";
import { defineStep } from "./step-kind.ts";
import { stateValue } from "./written/written-text.ts";
import { example } from "../example.ts";

const { MAX_SAFE_INTEGER: MAX_SUM } = Number;
const PAST_SUM = `a sum is at most ${MAX_SUM}`;
const amount = z.union([z.number().min(-MAX_SUM, PAST_SUM).max(MAX_SUM, PAST_SUM), withExpression]);

/**
 * `increment: state.sender.NAME` adds 1 to a number, `increment: {state.sender.NAME: 5}` adds 5. An absent number is 0.
 */
export const increment = defineStep({
  example: example`
    actions:
      - id: score
        increment: { state.sender.score: 10 }
      - reply_dm: You have \${{ steps.score.result }} points.
  `,
  shape: {
    increment: z
      .union([
        text,
        z
          .object({
            for: positiveDuration.optional().describe("Forget the numbers after this time."),
          })
          .catchall(amount),
      ])
      .describe("Add to stored numbers, such as state.sender.NAME. An absent number counts as 0."),
  },
  compile({ context, path, keys }) {
    const at = [...path, "increment"];
    const { for: lasts, ...amounts } =
      typeof keys.increment === "string" ? { [keys.increment]: 1, for: undefined } : keys.increment;
    const names = Object.entries(amounts);
    if (names.length === 0) {
      const help = "write  increment: {state.sender.NAME: 1}";
      return context.report(at, { code: "missing-key", message: "nothing is added here", help });
    }
    const isText = typeof keys.increment === "string";
    const additions = names.map(([name, value]) =>
      isText
        ? additionOf(stateTarget(context, at, name, "value"), () => ({ ok: true, value: 1 }))
        : compileAddition(context, [...at, name], name, value),
    );
    if (!additions.every((one) => one !== undefined)) return undefined;
    for (const [name] of names) {
      context.notesState(name, "int", "keeps", isText ? at : [...at, name]);
    }
    return {
      perform({ event, view, now, read }) {
        const expires = lasts === undefined ? {} : { expiresAt: now + durationMs(lasts) };
        const writes: RememberedValue[] = [];
        for (const { target, by } of additions) {
          const key = keyOf(target, event);
          const storedValue = read(key) ?? target.default;
          const sum = sumOf(`state.${target.of}.${target.name}`, storedValue, by(view));
          if (!sum.ok) return { kind: "not-ready", message: sum.error };
          writes.push({ key, value: sum.value, ...expires });
        }
        const [first, second] = writes;
        const result = second === undefined ? (first?.value ?? null) : null;
        return { kind: "remember", writes, result };
      },
    };
  },
});

interface Addition {
  readonly target: StateTarget;
  readonly by: Argument;
}

function compileAddition(
  context: StepContext,
  path: Path,
  name: string,
  value: unknown,
): Addition | undefined {
  const target = stateTarget(context, path, name, "key");
  const by = target && compileArgument(context, path, value, stateValue);
  return by && additionOf(target, by);
}

function additionOf(target: StateTarget | undefined, by: Argument): Addition | undefined {
  return target && { target, by };
}

function sumOf(
  name: string,
  storedValue: Json | undefined,
  by: Evaluated<Json>,
): Evaluated<number> {
  if (!by.ok) return by;
  if (storedValue !== undefined && typeof storedValue !== "number") {
    const error = `${name} is ${described(storedValue)}, and only a number can be added to`;
    return { ok: false, error };
  }
  if (typeof by.value !== "number") {
    const error = `${name} can't be increased by ${described(by.value)}: a number is wanted, as number(…) gives it`;
    return { ok: false, error };
  }
  const value = (storedValue ?? 0) + by.value;
  return Math.abs(value) <= MAX_SUM
    ? { ok: true, value }
    : { ok: false, error: `${name} would be past ${MAX_SUM}` };
}

function described(value: Json): string {
  if (typeof value === "string") return "a text";
  if (typeof value === "boolean") return String(value);
  if (value === null) return "nothing";
  return Array.isArray(value) ? "a list" : "a map";
}
