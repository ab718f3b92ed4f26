import fc from "fast-check";
import { expect, it } from "vitest";
import { parseLongJson } from "../../../src/sandbox/kernel/long-json.ts";

it("reads what the language's own parser reads", async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (text) => {
      expect(await parseLongJson(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
    { numRuns: 200 },
  );
});

it.each(["{", "tru", "1 2", '{"a":1}}'])("refuses %s", async (text) => {
  await expect(parseLongJson(Buffer.from(text))).rejects.toThrow();
});
