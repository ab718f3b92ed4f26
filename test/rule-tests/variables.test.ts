import { expect, it } from "vitest";
import { failuresOf } from "./support.ts";

it("variables are numbers and booleans if they are written so, as in check", async () => {
  const failures = await failuresOf(
    `
    - id: long
      triggers: [dm.received]
      variables: { limit: 5, half: 0.5, ok: true, code: 007, version: 1.10, quoted: "5" }
      conditions: [{ if: size(message.text) > vars.limit && vars.ok }]
      actions:
        - reply_dm: "\${{ vars.limit + 1 }} \${{ vars.half * 2.0 }} \${{ vars.code }} \${{ vars.version }} \${{ vars.quoted + '!' }}"
    `,
    `
    - name: longer than five
      events:
        - {dm.received: {from: ann, text: hello}}
        - {dm.received: {from: ann, text: hello there}}
      expect: [{reply_dm: {text: "6 1 007 1.10 5!"}}]
    `,
  );

  expect(failures).toEqual([]);
});
