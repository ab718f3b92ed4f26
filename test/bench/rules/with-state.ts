import { compileRules } from "../../../src/index.ts";
import type { AccountEvent } from "../../../src/events/event.ts";
import { interpreter } from "../../../src/runtime/runs/interpreter.ts";
import type { StateValue } from "../../../src/runtime/store/transition.ts";
import { messageReceived } from "../../support/events.ts";
import { type Contender, filesOf } from "./contenders.ts";
import type { BenchRule } from "./rule-text.ts";

/** In each tenth rule a condition on user state takes the place of what it asks of the text: it is judged for each event. */
export function withState(rules: readonly BenchRule[]): Contender {
  const files = filesOf(rules).map(({ path, text }) => ({ path, text: asking(text) }));
  const { ruleset, problems } = compileRules(files);
  const mistake = problems.find(({ severity }) => severity === "error");
  if (mistake !== undefined) throw new Error(mistake.message);
  const kept = new Map<string, StateValue>();
  let event: AccountEvent = messageReceived();
  const interpret = interpreter({
    ruleset: () => ruleset,
    bots: () => [],
    isLinked: () => true,
    usernameOf: () => "bot",
    resolveModule: (_file, module) => module,
    secretsOf: () => ({}),
    archive: { find: async () => undefined, toKeep: () => undefined, kept: () => {} },
    now: () => event.at,
    eventOf: () => event,
    store: {
      // as far away as the thread of the store, which costs a turn of the event loop
      load: async (keys) => {
        await new Promise((resolve) => setImmediate(resolve));
        return new Map(keys.flatMap((key) => pairOf(key, kept.get(key))));
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
      for (const { text, followers } of events) {
        const received = messageReceived({ text });
        event = { ...received, sender: { ...received.sender, followersCount: followers } };
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

function pairOf(key: string, value: StateValue | undefined): [string, StateValue][] {
  return value === undefined ? [] : [[key, value]];
}

/** Each tenth rule asks for one of ten values of state, and for nothing else. */
function asking(text: string): string {
  let number = 0;
  return text.replaceAll(/ {4}conditions:\n(?: {6,}.*\n)+/g, (written) => {
    const at = number++;
    if (at % 10 !== 5) return written;
    return `    conditions:\n      - state.sender.level_${at % 7}: {gt: ${at}}\n`;
  });
}
