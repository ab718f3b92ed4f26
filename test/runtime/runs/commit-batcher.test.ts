import { expect, it } from "vitest";
import { commitBatcher } from "../../../src/runtime/runs/commit-batcher.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { transition } from "../store/machine/support/rows.ts";

const inputs = (transitions: readonly Transition[]): readonly number[] =>
  transitions.map(({ input }) => (input.kind === "inbox" ? input.id : 0));
const numbered = (id: number): Transition => transition({ input: { kind: "inbox", id } });

it("reports each batch after its call and before its answer", async () => {
  const calls: unknown[] = [];
  const commit = commitBatcher(
    {
      async commit(_worker, transitions) {
        calls.push(["commit", inputs(transitions)]);
        await new Promise((resolve) => setImmediate(resolve));
        calls.push(["committed", inputs(transitions)]);
        return transitions.map(() => "committed");
      },
    },
    "me",
    (transitions) => calls.push(["sent", inputs(transitions)]),
  );
  await Promise.all([commit(numbered(1)), commit(numbered(2))]);

  expect(calls).toEqual([
    ["commit", [1, 2]],
    ["sent", [1, 2]],
    ["committed", [1, 2]],
  ]);
});

it("reports again the transitions that are repeated alone", async () => {
  const sent: (readonly number[])[] = [];
  const commit = commitBatcher(
    {
      async commit(_worker, transitions) {
        if (transitions.length > 1) throw new StoreError("store-data", "no store can hold this");
        return ["committed"];
      },
    },
    "me",
    (transitions) => sent.push(inputs(transitions)),
  );
  await Promise.all([commit(numbered(1)), commit(numbered(2))]);

  expect(sent).toEqual([[1, 2], [1], [2]]);
});
