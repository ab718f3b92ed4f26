import { expect, test } from "vitest";
import { readSettings } from "../../src/config/read-settings.ts";

const read = (text: string) =>
  readSettings({ file: "a.yaml", text, environment: {}, overrides: [] });

test.each([
  { settings: "limits", own: "replies: none" },
  { settings: "quiet_hours", own: "times: [sun 00:00-24:00]" },
])("$settings of one account can't be under two handles", ({ settings, own }) => {
  const zone = settings === "limits" ? "" : "  zone: UTC\n";
  const problemsOf = (...keys: readonly string[]) =>
    read(
      `version: 1\n${settings}:\n${zone}  accounts:\n${keys.map((key) => `    ${key}: { ${own} }\n`).join("")}`,
    ).problems.map((one) => [
      one.sourceLine?.slice(one.column - 1, one.column - 1 + one.length),
      one.message,
      one.help,
    ]);

  expect(problemsOf("007", '"@Shop_bot"', "hello_bot")).toEqual([]);
  expect(problemsOf("Shop_bot", '"@shop_bot"', "shop bot!")).toEqual([
    [
      '"@shop_bot"',
      '"@shop_bot" is the same account as "Shop_bot"',
      "write it once, with all that belongs to it",
    ],
    [
      "shop bot!",
      '"shop bot!" is not a handle',
      'write letters, digits and underscores only, as "hello_bot"',
    ],
  ]);
});
