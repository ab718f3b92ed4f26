import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { compileRules, decide } from "../../../src/index.ts";
import { messageReceived } from "../../support/events.ts";
import { filesOf } from "./contenders.ts";
import type { BenchRule } from "./rule-text.ts";

/** What compiling a rule takes. */
export interface CompileCost {
  readonly msPerRule: number;
  /** What the compiled rules, their index among them, keep in memory. */
  readonly kibPerRule: number;
}

/** Compiles `rules` and makes them ready to decide. */
export function compileCost(rules: readonly BenchRule[]): CompileCost {
  // What is made once for all rules is not theirs.
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

/** Bytes that are reachable. */
function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  const { heapUsed: used, arrayBuffers } = process.memoryUsage();
  return used + arrayBuffers;
}
