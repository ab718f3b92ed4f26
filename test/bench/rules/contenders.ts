import { createRequire } from "node:module";
import { join } from "node:path";
import { compileRules, decide } from "../../../src/index.ts";
import { messageReceived } from "../../support/events.ts";
import { type BenchEvent, type BenchRule, yamlOf } from "./rule-text.ts";

/** An implementation under comparison: returns the rules that an event matches. */
export interface Contender {
  /** Ids of the matching rules of each event, in order. */
  answers(events: readonly BenchEvent[]): Promise<readonly string[]>;
}

/** Maximum number of rules in a file, because rule files of 20 MB do not occur in practice. */
const RULES_PER_FILE = 1_000;

/** Returns the rules as YAML files, 1,000 rules in each. */
export function filesOf(rules: readonly BenchRule[]): { path: string; text: string }[] {
  return Array.from({ length: Math.ceil(rules.length / RULES_PER_FILE) }, (_, file) => ({
    path: `rules-${String(file).padStart(3, "0")}.yaml`,
    text: yamlOf(rules.slice(file * RULES_PER_FILE, (file + 1) * RULES_PER_FILE)),
  }));
}

/** Contender: this project's own `decide`. */
export function ours(rules: readonly BenchRule[]): Contender {
  const { ruleset } = compileRules(filesOf(rules));
  return {
    answers: async (events) =>
      events.map(({ text, followers }) => {
        const received = messageReceived({ text });
        const event = { ...received, sender: { ...received.sender, followersCount: followers } };
        const { runs } = decide(event, ruleset, { now: event.at });
        return runs.map(({ ruleId }) => ruleId).join(" ");
      }),
  };
}

/** Contender: a loop over one JavaScript regular expression for each rule. */
export function regexLoop(rules: readonly BenchRule[]): Contender {
  const compiled = rules.map(({ id, words, pattern, followers = -1 }) => {
    const all = [`\\b(?:${words.join("|")})\\b`, ...(pattern === undefined ? [] : [pattern])];
    return { id, followers, expression: new RegExp(all.join("|"), "i") };
  });
  return {
    answers: async (events) =>
      events.map((event) => {
        const matching: string[] = [];
        for (const { id, followers, expression } of compiled) {
          if (event.followers > followers && expression.test(event.text)) matching.push(id);
        }
        return matching.join(" ");
      }),
  };
}

/** The part of json-rules-engine that is used. */
interface JsonRulesEngine {
  readonly Engine: new () => {
    addRule(rule: object): void;
    addOperator(name: string, test: (fact: string, operand: RegExp) => boolean): void;
    run(facts: object): Promise<{ readonly events: readonly { readonly type: string }[] }>;
  };
}

/** The rules in json-rules-engine, from the folder in which this library was installed. */
export function jsonRulesEngine(folder: string, rules: readonly BenchRule[]): Contender {
  const load = createRequire(join(folder, "package.json"));
  const { Engine }: JsonRulesEngine = load("json-rules-engine");
  const engine = new Engine();
  engine.addOperator("matches", (fact, operand) => operand.test(fact));
  for (const { id, words, pattern, followers } of rules) {
    const text = (source: string) => ({
      fact: "text",
      operator: "matches",
      value: new RegExp(source, "i"),
    });
    const either = [
      text(`\\b(?:${words.join("|")})\\b`),
      ...(pattern === undefined ? [] : [text(pattern)]),
    ];
    const more =
      followers === undefined
        ? []
        : [{ fact: "followers", operator: "greaterThan", value: followers }];
    engine.addRule({ conditions: { all: [{ any: either }, ...more] }, event: { type: id } });
  }
  return {
    async answers(events) {
      const all: string[] = [];
      for (const { text, followers } of events) {
        const { events: matching } = await engine.run({ text, followers });
        all.push(matching.map(({ type }) => type).join(" "));
      }
      return all;
    },
  };
}
