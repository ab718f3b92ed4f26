import * as z from "zod";
import { counterpartOf } from "../../events/kinds/kinds.ts";
import type { AccountEvent } from "../../events/event.ts";
import { durationMs } from "../../system/duration.ts";
import { fold } from "../../text/fold.ts";
import { addedTo } from "../decide/counted.ts";
import { triggersWithout } from "../schema/fields.ts";
import { countKey, STATE_OWNERS } from "../schema/state-keys.ts";
import { positiveDuration, id, text } from "../schema/pieces.ts";
import { A_PERSON } from "./platform/action-step.ts";
import { defineStep } from "./step-kind.ts";
import { isTooLong, shownText } from "./written/written-text.ts";
import { example } from "../example.ts";

/** Maximum length of the `key` of a count, in characters. */
const MAX_KEY = 200;
const KEY = "the key of a count";
/** Maximum number of counted events that are listed as evidence when a count reaches its number. */
const MAX_EVIDENCE_EVENTS = 100;

/** `count: {name, key, per, window}` counts the event. At a number, the trigger `count.reached` starts rules. */
export const count = defineStep({
  example: example`
    conditions: [{ message.text: { matches: '^vote (?P<choice>tea|coffee)$' } }]
    actions:
      - id: votes
        count: { name: votes, key: "\${{ captures.choice }}", window: 30d }
      - reply_dm: \${{ steps.votes.people }} people voted for \${{ captures.choice }}.
  `,
  gives: ["people"],
  shape: {
    count: z
      .strictObject({
        name: id,
        key: text.optional().describe("Each value of this text has its own count, in any case."),
        per: z
          .enum(STATE_OWNERS)
          .optional()
          .describe("Scope of the count: the sender by default; with a key, the account."),
        window: positiveDuration.describe("Older events are no longer counted."),
      })
      .describe(
        "Count the event. The trigger count.reached starts rules when the count reaches a number.",
      ),
  },
  compile({ context, path, keys }) {
    const { name, key: written, window } = keys.count;
    const { per = written === undefined ? "sender" : "account" } = keys.count;
    if (per !== "account" && !context.scope.fields.has(A_PERSON.field)) {
      const message = `this counts for each ${per}, which ${triggersWithout(A_PERSON.field, context.scope.triggers)} doesn't always carry`;
      const help = "write  per: account";
      return context.report([...path, "count"], { code: "action-not-on-trigger", message, help });
    }
    const keyAt = [...path, "count", "key"];
    if (isTooLong(context, keyAt, written ?? "", { what: KEY, max: MAX_KEY })) return undefined;
    const windowMs = durationMs(window);
    const template = written === undefined ? undefined : shownText(context, keyAt);
    if (written === undefined) context.uses({ kind: "count", name, per });
    else if (template === undefined) return undefined;
    return {
      perform({ event, now, read, view }) {
        const renderedKey = template?.render(view);
        if (renderedKey?.ok === false) return { kind: "not-ready", message: renderedKey.error };
        const key = renderedKey === undefined ? undefined : fold(renderedKey.value).trim();
        const wrong = key === undefined ? undefined : wrongKey(key);
        if (wrong !== undefined) return { kind: "not-ready", message: wrong };
        const at = countKey(name, per, event, key);
        const added = addedTo(read(at), {
          at: now,
          event: event.key,
          person: personIn(event),
          windowMs,
        });
        const { value: entries, count: value, people, reached } = added;
        const events = added.events.slice(-MAX_EVIDENCE_EVENTS);
        const counted = { name, value, events, people, ...(key !== undefined && { key }) };
        return {
          kind: "remember",
          writes: [{ key: at, value: entries, expiresAt: now + windowMs }],
          result: value,
          people,
          ...(reached && { counted }),
        };
      },
    };
  },
});

function personIn(event: AccountEvent): string {
  return counterpartOf(event) ?? event.accountId;
}

function wrongKey(key: string): string | undefined {
  if (key === "") return "the key of the count is empty";
  return key.length > MAX_KEY ? `${KEY} has at most ${MAX_KEY} characters` : undefined;
}
