import { stepList, text } from "../schema/pieces.ts";
import { defineStep } from "./step-kind.ts";

/** By name, since an object with a `then` of its own looks like a promise. */
const [THEN, ELSE] = ["then", "else"] as const;

/** `if`, `then`, `else`: the step without a verb, which goes one way or the other. */
export const branch = defineStep({
  shape: { if: text, [THEN]: stepList.optional(), [ELSE]: stepList.optional() },
  blocks: [[THEN], [ELSE]],
  compile({ context, path, block }) {
    const test = context.condition([...path, "if"]);
    const blocks = { [THEN]: block(THEN), [ELSE]: block(ELSE) };
    return (
      test && {
        blocks,
        perform({ view }) {
          const holds = test.evaluate(view);
          return holds.ok
            ? { kind: "enter", block: holds.value === true ? THEN : ELSE }
            : { kind: "not-ready", message: holds.error };
        },
      }
    );
  },
});
