import * as z from "zod";
import { INBOUND_TRIGGERS } from "../../events/triggers.ts";
import { ON_TIMEOUT } from "../run/step.ts";
import { conditionList, positiveDuration, stepList } from "../schema/pieces.ts";
import { withinMs } from "./written/waiting-time.ts";
import { defineStep } from "./step-kind.ts";
import { example } from "../example.ts";

const awaited = z.strictObject({
  trigger: z.enum(INBOUND_TRIGGERS).describe("The event to wait for."),
  conditions: conditionList.optional().describe("All must hold for the event."),
  within: positiveDuration.optional().describe("Maximum waiting time."),
  [ON_TIMEOUT]: stepList.optional().describe("Steps that run if it does not happen in time."),
});

/** `wait_for: {trigger, within}` waits for an event of the person, such as a message or a like. */
export const waitFor = defineStep({
  example: example`
    actions:
      - reply_dm: Was that what you wanted to know?
      - id: thanks
        wait_for:
          trigger: dm.received
          conditions: [{ message.text: { contains_word: [yes, thanks] } }]
          within: 10m
          on_timeout: [{ stop: nothing more }]
      - reply_dm: You're welcome!
  `,
  shape: { wait_for: awaited.describe("Wait until the person does something.") },
  blocks: [["wait_for", ON_TIMEOUT]],
  gives: ["text", "captures"],
  compile({ context, path, keys: { wait_for }, block, onEvent }) {
    const at = [...path, "wait_for"];
    const blocks = { [ON_TIMEOUT]: block("wait_for", ON_TIMEOUT) };
    const limit = withinMs(context, at, wait_for.within);
    const conditions =
      wait_for.conditions === undefined
        ? []
        : onEvent(wait_for.trigger).conditions([...at, "conditions"]);
    if (limit === undefined) return undefined;
    return {
      blocks,
      perform: () => ({ kind: "not-ready", message: "there is nothing to do but to wait" }),
      listens: {
        trigger: wait_for.trigger,
        withinMs: limit,
        conditions,
        captures: () => ({}),
        retries: 0,
      },
    };
  },
});
