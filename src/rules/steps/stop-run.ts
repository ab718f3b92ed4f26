import * as z from "zod";
import { idIn } from "../rule-file-source.ts";
import { LONGEST_KEY } from "../decide/mode.ts";
import { ruleId, text } from "../schema/pieces.ts";
import { defineStep } from "./step-kind.ts";
import { isTooLong, shownText } from "./written/written-text.ts";
import { example } from "../example.ts";

const rules = z.union([ruleId, z.array(ruleId).min(1, "no rule is named here")]);

const whichRuns = z.strictObject({
  rule: rules.describe("The rule, or a list of rules."),
  key: text
    .optional()
    .describe(
      "Key of the runs to end, if the rule has a key. Ends the runs of all people with this key.",
    ),
});

/**
 * `stop_run: RULE` ends the person's open runs of a rule, `stop_run: {rule: RULE, key: KEY}` all runs with this key, also
 * other people's. Its result is the number of ended runs.
 */
export const stopRun = defineStep({
  example: example`
    version: 1
    rules:
      - id: order-form
        triggers: [dm.received]
        conditions: [{ message.text: { contains_word: order } }]
        actions:
          - id: name
            ask: { text: Your name?, within: 1h }
          - reply_dm: Thank you, \${{ steps.name.text }}!
      - id: cancel
        triggers: [dm.received]
        interrupts: true
        conditions: [{ message.text: { contains_word: [cancel, forget it] } }]
        actions:
          - id: over
            stop_run: order-form
          - if: steps.over.result > 0
            then: [{ reply_dm: Cancelled. }]
            else: [{ reply_dm: There is nothing to cancel. }]
  `,
  shape: {
    stop_run: z
      .union([rules, whichRuns])
      .describe(
        "End open runs of a rule: the person's, or with a key, all people's runs with this key. They stop waiting and send nothing more. The result is their number.",
      ),
  },
  compile({ context, path, keys }) {
    const at = [...path, "stop_run"];
    const written = keys.stop_run;
    const isMap = typeof written === "object" && !Array.isArray(written);
    const { rule, key: own } = isMap ? written : { rule: written, key: undefined };
    const place = isMap ? [...at, "rule"] : at;
    const stopped = [rule].flat().map((one, index) => ({
      written: one,
      ids: [...new Set([idIn(context.source, one), one])],
      at: context.spot(typeof rule === "string" ? place : [...place, index]),
    }));
    const keyAt = [...at, "key"];
    if (isTooLong(context, keyAt, own ?? "", { what: "a key", max: LONGEST_KEY })) return undefined;
    const key = own === undefined ? undefined : shownText(context, keyAt);
    if (own !== undefined && key === undefined) return undefined;
    const ids = stopped.map((one) => one.ids);
    return {
      stops: { rules: stopped, ...(own !== undefined && { key: own }) },
      perform({ view }) {
        if (key === undefined) return { kind: "stop-runs", rules: ids };
        const rendered = key.render(view);
        if (!rendered.ok) return { kind: "not-ready", message: rendered.error };
        if (rendered.value.length > LONGEST_KEY) {
          return { kind: "not-ready", message: `a key has at most ${LONGEST_KEY} characters` };
        }
        return { kind: "stop-runs", rules: ids, key: rendered.value };
      },
    };
  },
});
