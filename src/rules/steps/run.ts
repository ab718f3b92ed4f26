import { argument, ruleId } from "../schema/pieces.ts";
import { defineStep } from "./step-kind.ts";
import { example } from "../example.ts";

/** `run: RULE` calls another rule: runs its steps, with values for its variables. */
export const run = defineStep({
  example: example`
    version: 1
    rules:
      - id: bye
        triggers: [dm.received]
        conditions: [{ message.text: { contains_word: [bye, ciao] } }]
        actions:
          - run: goodbye
            with: { name: "\${{ sender.name }}" }
      - id: goodbye
        variables: { name: you }
        actions:
          - reply_dm: Goodbye, \${{ vars.name }}!
  `,
  shape: {
    run: ruleId.describe("Run the steps of the rule with this id."),
    with: argument,
  },
  compile({ keys, called }) {
    const body = called({ id: keys.run, passedValues: keys.with ?? {} });
    return (
      body && {
        ...body,
        perform: () => ({ kind: "not-ready", message: "there is nothing to do but to run a rule" }),
      }
    );
  },
});
