import * as z from "zod";
import type { Json } from "../../protocol/json.ts";
import { durationMs } from "../../system/duration.ts";
import { countKey, STATE_OWNERS } from "../decide/state-keys.ts";
import { countedDuration, id } from "../schema/pieces.ts";
import { A_PERSON } from "./platform/action-step.ts";
import { defineStep } from "./step-kind.ts";
import { example } from "../explained/explanation.ts";

/** Times and events that are kept of one count: a higher number can't be told from this one. */
const MOST = 1_000;
/** Events that are shown as evidence. */
const MOST_EVENTS = 100;

/** `count: {name, per, window}` counts the event; count.reached starts rules at a number. */
export const count = defineStep({
  example: example`
    conditions: [{ message.text: { contains_word: [fool, idiot] } }]
    actions:
      - count: { name: abuse, per: sender, window: 7d }
  `,
  shape: {
    count: z
      .strictObject({
        name: id,
        per: z.enum(STATE_OWNERS).default("sender"),
        window: countedDuration.describe("What lies further back is counted no more."),
      })
      .describe(
        "Count the event. The trigger count.reached starts rules when it comes to a number.",
      ),
  },
  compile({ context, path, keys }) {
    const { name, per, window } = keys.count;
    if (per !== "account" && !context.scope.fields.has(A_PERSON.field)) {
      const message = `this counts for each ${per}, which ${context.scope.triggers.join(", ")} doesn't always carry`;
      const help = "write  per: account";
      return context.report([...path, "count"], { code: "action-not-on-trigger", message, help });
    }
    const windowMs = durationMs(window);
    context.uses({ kind: "count", name, per });
    return {
      perform({ event, now, read }) {
        const key = countKey(name, per, event);
        const counted = countedIn(read(key), now - windowMs);
        const all = [...counted, [now, event.key] as const].slice(-MOST);
        const value = all.map(([at, one]) => [at, one]);
        const events = all.slice(-MOST_EVENTS).map(([, one]) => one);
        return {
          kind: "remember",
          writes: [{ key, value, expiresAt: now + windowMs }],
          counted: { name, value: all.length, events },
        };
      },
    };
  },
});

/** What was counted after `since`, oldest first. */
function countedIn(value: Json | undefined, since: number): readonly (readonly [number, string])[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    if (!Array.isArray(one)) return [];
    const [at, key] = one;
    return typeof at === "number" && typeof key === "string" && at > since ? [[at, key]] : [];
  });
}
