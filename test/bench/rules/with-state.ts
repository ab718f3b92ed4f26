import { compileRules, decide, type Ruleset } from "../../../src/index.ts";
import type { AccountEvent } from "../../../src/events/event.ts";
import { interpreter } from "../../../src/runtime/runs/interpreter.ts";
import type { StateValue } from "../../../src/runtime/store/transition.ts";
import { messageReceived } from "../../support/events.ts";
import { type Contender, filesOf } from "./contenders.ts";
import type { BenchEvent, BenchRule } from "./rule-text.ts";

/**
 * Contender: `decide`, with a condition on a stored user value in every tenth rule. Half of these conditions are
 * expressions. All stored values are 12.
 */
export function decidedWithState(rules: readonly BenchRule[]): Contender {
  const ruleset = askingState(rules);
  // some conditions on the value hold for 12, and some fail
  const read = () => 12;
  return {
    answers: async (events) =>
      events.map((written) => {
        const event = received(written);
        const { runs } = decide(event, ruleset, { now: event.at, read });
        return runs.map(({ ruleId }) => ruleId).join(" ");
      }),
  };
}

/** Contender: the rules of {@link decidedWithState} in the interpreter, which starts runs and loads values. */
export function withState(rules: readonly BenchRule[]): Contender {
  return interpreted(askingState(rules));
}

/** Contender: the rules without conditions on stored values, in the interpreter. */
export function withoutState(rules: readonly BenchRule[]): Contender {
  return interpreted(compiled(filesOf(rules)));
}

function askingState(rules: readonly BenchRule[]): Ruleset {
  return compiled(filesOf(rules).map(({ path, text }) => ({ path, text: asking(text) })));
}

function compiled(files: Parameters<typeof compileRules>[0]): Ruleset {
  const { ruleset, problems } = compileRules(files);
  const mistake = problems.find(({ severity }) => severity === "error");
  if (mistake !== undefined) throw new Error(mistake.message);
  return ruleset;
}

function interpreted(ruleset: Ruleset): Contender {
  const storedValues = new Map<string, StateValue>();
  let event: AccountEvent = messageReceived();
  const interpret = interpreter({
    ruleset: () => ruleset,
    bots: () => [],
    isLinked: () => true,
    usernameOf: () => "bot",
    resolveModule: (_file, module) => module,
    secretsOf: () => ({}),
    archive: { find: async () => undefined, toKeep: () => undefined, noteStored: () => {} },
    now: () => event.at,
    eventOf: () => event,
    store: {
      // waits for the next turn of the event loop, as a call to the store's worker thread does
      load: async (keys) => {
        await new Promise((resolve) => setImmediate(resolve));
        return new Map(keys.flatMap((key) => pairOf(key, storedValues.get(key))));
      },
      slots: async () => new Map(),
      runsOf: async () => [],
      silences: async () => [],
      items: async () => [],
    },
  });
  return {
    async answers(events) {
      const all: string[] = [];
      for (const written of events) {
        event = received(written);
        const { key, accountId: account, lane, kind, at } = event;
        const place = { seq: 1, partition: 0, source: "webhook", body: "" } as const;
        const entry = { ...place, key, account, lane, kind, at, arrivedAt: at };
        const { decision } = await interpret({ kind: "event", entry, listeners: [] });
        all.push((decision?.ran ?? []).join(" "));
      }
      return all;
    },
  };
}

function received({ text, followers }: BenchEvent): AccountEvent {
  const message = messageReceived({ text });
  return { ...message, sender: { ...message.sender, followersCount: followers } };
}

function pairOf(key: string, value: StateValue | undefined): [string, StateValue][] {
  return value === undefined ? [] : [[key, value]];
}

/** Replaces the conditions of every tenth rule by a condition on one of ten state values. */
function asking(text: string): string {
  let number = 0;
  return text.replaceAll(/ {4}conditions:\n(?: {6,}.*\n)+/g, (written) => {
    const at = number++;
    if (at % 10 !== 5) return written;
    const value = `state.sender.level_${at % 7}`;
    const condition = at % 20 < 10 ? `${value}: {gt: ${at}}` : `if: ${value}.orValue(0) > ${at}`;
    return `    conditions:\n      - ${condition}\n`;
  });
}
