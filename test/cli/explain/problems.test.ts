import { describe, expect, test } from "vitest";
import { EXPLAINED } from "../../../src/insight/reference/explained/explained.ts";
import { problemsOf } from "./checked.ts";

const shown = async (example: Parameters<typeof problemsOf>[0]): Promise<readonly string[]> =>
  (await problemsOf(example)).map(
    ({ file, line, column, code, message }) => `${file}:${line}:${column} ${code}: ${message}`,
  );

describe.each(Object.entries(EXPLAINED))("the examples of %s", (code, { wrong, right, why }) => {
  test("have this problem and no other, and then none", async () => {
    const [wrongText, rightText] = await Promise.all([shown(wrong), shown(right)]);

    expect(wrongText).not.toEqual([]);
    expect(wrongText.filter((line) => !line.includes(` ${code}: `))).toEqual([]);
    expect(rightText).toEqual([]);
    expect(why).toMatch(/\.$/);
  });
});
