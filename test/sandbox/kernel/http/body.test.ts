import { expect, it, test } from "vitest";
import { parseBody } from "../../../../src/sandbox/server/body.ts";

const json = (text: string): ReturnType<typeof parseBody> =>
  parseBody(Buffer.from(text), "application/json");

test.each(["[", '{"a":'])("refuses a body of %s twenty thousand levels deep", async (level) => {
  await expect(json(level.repeat(20_000))).rejects.toThrow("nests deeper than 200 levels");
});

it("counts levels, not brackets within texts", async () => {
  const text = JSON.stringify({ text: `"${"[{".repeat(300)}\\` });

  expect(await json(text)).toEqual({ kind: "json", value: JSON.parse(text) });
});

test.each(["", " \n"])("takes a body of %j as empty whatever its type says", async (text) => {
  expect(await json(text)).toEqual({ kind: "empty" });
});
