import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { compileRules, decide } from "../../../src/index.ts";
import { messageReceived } from "../../support/events.ts";
import { filesOf } from "./contenders.ts";
import type { BenchRule } from "./rule-text.ts";

/** Cost of compiling a rule. */
export interface CompileCost {
  readonly msPerRule: number;
  /** KiB of memory per rule that the compiled rules hold, including their index. */
  readonly kibPerRule: number;
}

/** Measures the cost of compiling `rules` and preparing them for decisions. */
export function compileCost(rules: readonly BenchRule[]): CompileCost {
  // The first call creates objects that all rules share. They do not count as the cost of a rule.
  decide(messageReceived(), compileRules(filesOf(rules.slice(0, 100))).ruleset, { now: 0 });
  const files = filesOf(rules);
  const before = heapUsed();
  const start = process.cpuUsage();
  const { ruleset } = compileRules(files);
  decide(messageReceived(), ruleset, { now: 0 });
  const { user, system } = process.cpuUsage(start);
  const held = heapUsed() - before;
  if (ruleset.rules.length !== rules.length) throw new Error("rules are missing");
  return {
    msPerRule: (user + system) / 1_000 / rules.length,
    kibPerRule: held / 1_024 / rules.length,
  };
}

/** Returns the bytes of reachable objects. */
function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  const { heapUsed: used, arrayBuffers } = process.memoryUsage();
  return used + arrayBuffers;
}
