import { installed } from "../peers.ts";
import type { Benchmark, Result } from "../main.ts";
import { round2, spreadOf, spreadText, wholeNumber } from "../numbers.ts";
import { compileCost } from "./compile-cost.ts";
import { type Contender, jsonRulesEngine, ours, regexLoop } from "./contenders.ts";
import { reloadCost } from "./reload-cost.ts";
import { decidedWithState, withoutState, withState } from "./with-state.ts";
import { benchEvents, type BenchEvent, benchRules } from "./rule-text.ts";

const SIZES = [10, 1_000, 10_000, 100_000] as const;
const COMPARED = 1_000;

/** Measures events decided per second of processor time, and the cost of compiling a rule. */
export const rules: Benchmark = {
  name: "rules",
  about: "events decided per second of processor time, by number of rules",
  async run(say): Promise<Result> {
    const largest = wholeNumber("RULES", 100_000);
    const compiled = compileCost(benchRules(Math.min(10 * COMPARED, largest)));
    const reload = await reloadCost(benchRules(Math.min(10 * COMPARED, largest)));
    const entries = await contenders(largest, say);
    await sameAnswers(entries);
    // the first event builds the index
    for (const { contender, events } of entries) await contender.answers(events.slice(0, 1));
    const rates = new Map(entries.map(({ figure }) => [figure, new Array<number>()]));
    for (let round = 0; round < wholeNumber("ROUNDS", 5); round++) {
      for (const one of entries) rates.get(one.figure)?.push(await rateOf(one));
    }
    const figures: Record<string, number> = {};
    const table = [["", "events per CPU second"]];
    for (const { figure } of entries) {
      const spread = spreadOf(rates.get(figure) ?? []);
      figures[figure] = round2(spread.median);
      table.push([figure, spreadText(spread)]);
    }
    figures["compile_ms_per_rule"] = Math.round(compiled.msPerRule * 1_000) / 1_000;
    figures["compile_kib_per_rule"] = round2(compiled.kibPerRule);
    table.push(["compile, ms per rule", compiled.msPerRule.toFixed(3)]);
    table.push(["compile, KiB per rule", compiled.kibPerRule.toFixed(2)]);
    const { openMs, openHeldMs, reloadMs, reloadHeldMs } = reload;
    Object.assign(figures, {
      open_ms: round2(openMs),
      open_held_ms: round2(openHeldMs),
      reload_ms: round2(reloadMs),
      reload_held_ms: round2(reloadHeldMs),
    });
    table.push([
      "put in force from 100 files, ms (held)",
      `${round2(openMs)} (${round2(openHeldMs)})`,
    ]);
    table.push([
      "one file of 100 anew, ms (held)",
      `${round2(reloadMs)} (${round2(reloadHeldMs)})`,
    ]);
    return { figures, table };
  },
};

interface Entry {
  readonly figure: string;
  readonly contender: Contender;
  readonly events: readonly BenchEvent[];
}

async function contenders(largest: number, say: (line: string) => void): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const size of SIZES.filter((one) => one <= largest)) {
    say(`compiling ${size} rules`);
    const all = benchRules(size);
    const events = benchEvents(2_000, all);
    entries.push({ figure: `rules_${size}_per_s`, contender: ours(all), events });
    if (size === 10 * COMPARED)
      entries.push(...UNINDEXED.map((percent) => unindexed(size, percent)));
    if (size !== COMPARED) continue;
    const stateful = [
      { figure: `decided_with_state_${size}_per_s`, contender: decidedWithState(all), events },
      { figure: `interpreted_${size}_per_s`, contender: withoutState(all), events },
      { figure: `with_state_${size}_per_s`, contender: withState(all), events },
    ];
    entries.push(...stateful);
    entries.push({ figure: `regex_loop_${size}_per_s`, contender: regexLoop(all), events });
    const peer = await installed({ "json-rules-engine": "7.3.1" });
    if ("why" in peer) say(`without json-rules-engine: ${peer.why}`);
    else {
      const contender = jsonRulesEngine(peer.folder, all);
      entries.push({ figure: `json_rules_engine_${size}_per_s`, contender, events });
    }
  }
  return entries;
}

/** Percentages of rules that have a pattern without a required word. */
const UNINDEXED = [0.5, 5] as const;

function unindexed(size: number, percent: number): Entry {
  const all = benchRules(size, percent);
  return {
    figure: `rules_${size}_unindexed_${percent}_percent_per_s`,
    contender: ours(all),
    events: benchEvents(2_000, all),
  };
}

/** Compares the answers of contenders with the same rules: they must be equal, or the comparison is meaningless. */
async function sameAnswers(entries: readonly Entry[]): Promise<void> {
  const first = entries.find(({ figure }) => figure === `rules_${COMPARED}_per_s`);
  if (first === undefined) return;
  const events = first.events.slice(0, 200);
  const wanted = await first.contender.answers(events);
  if (wanted.every((answer) => answer === "")) throw new Error("no event matches a rule");
  const same = entries.filter((one) => one.events === first.events);
  for (const { figure, contender } of same) {
    // with state, a tenth of the rules decide differently, so these answers are not compared
    if (figure.includes("with_state")) continue;
    const answers = await contender.answers(events);
    const odd = wanted.findIndex(
      (answer, index) => sorted(answer) !== sorted(answers[index] ?? ""),
    );
    if (odd >= 0) {
      throw new Error(
        `${figure}: "${events[odd]?.text}" gives ${answers[odd]}, not ${wanted[odd]}`,
      );
    }
  }
}

function sorted(answer: string): string {
  return answer.split(" ").sort().join(" ");
}

/** Duration of a contender's turn. */
const TURN_MS = 400;

/** Returns events decided per second of processor time, for as many sequential events as fit into a turn. */
async function rateOf({ contender, events }: Entry): Promise<number> {
  let done = 0;
  let cpuMs = 0;
  let size = 1;
  while (cpuMs < TURN_MS) {
    const from = done % events.length;
    const some = events.slice(from, from + size);
    const start = process.cpuUsage();
    await contender.answers(some);
    const { user, system } = process.cpuUsage(start);
    cpuMs += (user + system) / 1_000;
    done += some.length;
    size = Math.min(events.length, size * 2);
  }
  return (done * 1_000) / cpuMs;
}
