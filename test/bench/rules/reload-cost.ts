import { monitorEventLoopDelay } from "node:perf_hooks";
import { openLog } from "../../../src/runtime/log.ts";
import { openRulesInForce } from "../../../src/runtime/reload/rules-in-force.ts";
import { openMemoryStore } from "../../../src/runtime/store/memory-store.ts";
import { type BenchRule, yamlOf } from "./rule-text.ts";

/** Cost of activating rules, and how long it blocks other work. */
export interface ReloadCost {
  readonly openMs: number;
  readonly openHeldMs: number;
  /** Time to reload after a change of one file. */
  readonly reloadMs: number;
  readonly reloadHeldMs: number;
}

const FILES = 100;

/** Activates `rules` as the runtime does, from a hundred files, then changes one of them. */
export async function reloadCost(rules: readonly BenchRule[]): Promise<ReloadCost> {
  const perFile = Math.ceil(rules.length / FILES);
  const files = Array.from({ length: FILES }, (_, number) => ({
    path: `rules-${String(number).padStart(3, "0")}.yaml`,
    text: yamlOf(rules.slice(number * perFile, (number + 1) * perFile)),
  }));
  let now = files;
  const store = openMemoryStore();
  const open = () =>
    openRulesInForce({
      read: async () => now,
      store,
      log: openLog({ level: "silent" }),
      look: () => [],
      report: () => {},
    });
  const [inForce, openMs, openHeldMs] = await measured(open);
  now = files.map((file, number) =>
    number === FILES / 2 ? { ...file, text: file.text.replaceAll("Thanks", "Thank you") } : file,
  );
  const [{ changed }, reloadMs, reloadHeldMs] = await measured(() => inForce.reload());
  if (!changed || inForce.ruleset.rules.length !== rules.length) throw new Error("not reloaded");
  await store.close();
  return { openMs, openHeldMs, reloadMs, reloadHeldMs };
}

/** Runs `work`. Returns its result, its duration, and the longest delay of the event loop, in milliseconds. */
async function measured<T>(work: () => Promise<T>): Promise<readonly [T, number, number]> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  const result = await work();
  const ms = performance.now() - start;
  delay.disable();
  return [result, ms, delay.max / 1e6];
}
