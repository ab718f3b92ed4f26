import { expect, it } from "vitest";
import { neighboursOf } from "../../src/console/operations/traces/traces.ts";
import * as wire from "../support/wire.ts";
import { ruleBot } from "../traces/world.ts";

it("of an event are the ones directly before and after it, also far from the latest", async () => {
  const bot = await ruleBot(["version: 1\nrules: []\n"]);
  for (let id = 1; id <= 203; id += 1) {
    await bot.hears(wire.message({ id: String(id), from: "200", text: "hello", at: bot.now }));
  }
  const rows = await bot.needs.journal({ limit: 203 });
  const [newest, before, first] = [rows[0], rows[1], rows.at(-1)].map((row) => row?.seq ?? 0);

  expect(await neighboursOf(bot.needs, newest ?? 0)).toEqual({ earlier: before });
  expect(await neighboursOf(bot.needs, before ?? 0)).toMatchObject({ later: newest });
  expect(await neighboursOf(bot.needs, rows[199]?.seq ?? 0)).toEqual({
    earlier: rows[200]?.seq,
    later: rows[198]?.seq,
  });
  // beyond the latest 200 events, no later one is looked for
  expect(await neighboursOf(bot.needs, first ?? 0)).toEqual({});
  await bot.close();
});
