import { afterEach, expect, it } from "vitest";
import { fileOf, traceIn } from "../../src/console/page/pages/traces/trace-file.ts";
import { sequenceOf } from "../../src/console/sequence/sequence.ts";
import { NO_EXCHANGES } from "../../src/console/sequence/trace-exchanges.ts";
import { traceOf } from "../../src/insight/traces/trace-of.ts";
import * as wire from "../support/wire.ts";
import { ruleBot, type RuleBot } from "../traces/world.ts";

let bot: RuleBot;
afterEach(() => bot.close());

it("a trace's file from before conditions were kept is opened without any", async () => {
  bot = await ruleBot([
    "version: 1\nrules: [{ id: a, triggers: [dm.received], actions: [{ log: hi, if: sender.id == '1' }] }]\n",
  ]);
  await bot.hears(wire.message({ id: "1", text: "hello", from: "200", at: bot.now }));
  const trace = await traceOf(bot.needs, 1);
  const text = fileOf({
    trace,
    sequence: { rows: sequenceOf(trace, NO_EXCHANGES), exchanges: [] },
  });
  const before = text.replace('"conditions"', '"of later"');

  expect(traceIn(text).trace.runs[0]?.conditions).toHaveLength(1);
  expect(traceIn(before).trace.runs[0]?.conditions).toEqual([]);
});
