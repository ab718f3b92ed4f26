import { describe, expect, it } from "vitest";
import { describeAction } from "../../../src/actions/actions.ts";
import {
  EntryAnswers,
  type TimedOutgoing,
} from "../../../src/insight/rehearsal/backtest/entry-answers.ts";
import { RulesInTime } from "../../../src/insight/rehearsal/backtest/rules-in-time.ts";
import { Rehearsal } from "../../../src/insight/rehearsal/rehearsal.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import type { Ruleset } from "../../../src/rules/ruleset.ts";
import { eventOf } from "../../../src/runtime/runs/entry-event.ts";
import { seeded } from "../../bench/rules/seeded.ts";
import { ACCOUNT, BEGINS, entriesOf, type Said } from "./journal.ts";

/** Rules that affect each other by groups, limits, slots (mutexes), state, waits and pauses. */
const RULES = `version: 1
rules:
  - id: stop
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: human}}]
    actions:
      - reply_dm: A person comes.
      - escalate: {queue: people, pause_bot: {per: sender, for: 20m}}
  - id: hello
    group: none
    triggers: [dm.received]
    conditions: [{sender.is_new: true}]
    actions: [{delay: {min: 30s, max: 4m}}, {reply_dm: "Hello \${{ sender.name }}."}]
  - id: order
    mode: restart
    timeout: 30m
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - id: no
        ask:
          text: Which number?
          expect: {matches: '\\b(?P<no>[A-Z]\\d+)\\b'}
          retries: 1
          reprompt: Like A1, please.
          within: 10m
          on_timeout: [{reply_dm: Too late.}]
          on_invalid: [{reply_dm: Never mind.}]
      - reply_dm: "\${{ steps.no.captures.no }} is on its way."
      - id: thanks
        wait_for:
          trigger: dm.received
          conditions: [{message.text: {contains_word: thanks}}]
          within: 5m
          on_timeout: [{stop: done}]
      - reply_dm: You're welcome.
  - id: queue
    mode: queued
    key: shared
    max: 2
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: ticket}}]
    actions: [{reply_dm: One moment.}, {delay: 3m}, {reply_dm: Done.}]
  - id: promo
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: promo}}]
    cooldown: {per: sender, for: 15m}
    limit: {per: rule, max: 2, in: 10m, overflow: queue, expires: 1h}
    actions: [{reply_dm: 10 percent}]
  - id: rude
    group: none
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: rude}}]
    actions: [{count: {name: rude, per: sender, window: 1h}}]
  - id: warn
    triggers: [{trigger: count.reached, of: rude, at: 2}]
    actions: [{reply_dm: Please.}, {label: {add: [warned]}}]
  - id: warned
    triggers: [dm.received]
    conditions: [{sender.labels: {contains: warned}}, {message.text: {contains_word: hours}}]
    actions: [{reply_dm: "9 to 5, and be kind."}]
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}]
    actions: [{reply_dm: 9 to 5}]
  - id: basket
    mode: restart
    timeout: 12m
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: basket}}]
    actions:
      - repeat:
          count: 2
          sequence:
            - parallel:
                asks:
                  - id: many
                    ask: {text: How many?, within: 4m, on_timeout: [{reply_dm: "One, then."}]}
                  - if: steps.many.text.has_word("what")
                    then: [{stop: never mind}]
                later: [{delay: 2m}, {reply_dm: Still packing.}]
                quick: [{set: {state.sender.packed: true}}, {reply_dm: Packing.}]
              timeout: 5m
              continue_on_error: true
      - reply_dm: "Packed: \${{ steps.many.text }}."
    on_error: [{reply_dm: That did not work.}]
  - id: nothing
    fallback: true
    triggers: [dm.received]
    cooldown: {per: conversation, for: 7m}
    actions: [{reply_dm: Sorry?}]
`;

const TEXTS = [
  "hours",
  "order",
  "it is A1",
  "what",
  "thanks",
  "ticket",
  "promo",
  "rude",
  "basket",
  "human",
];

/** Messages of five people, some seconds to some minutes apart. */
function saidBy(seed: number, count: number): readonly Said[] {
  const draw = seeded(seed);
  let at = 0;
  return Array.from({ length: count }, (): Said => {
    at += draw(4) === 0 ? draw(900) : draw(40);
    const text = draw(40) === 0 ? "human" : (TEXTS[draw(TEXTS.length - 1)] ?? "");
    return [at, String(201 + draw(5)), `${text} please`];
  });
}

interface Out {
  readonly at: number;
  readonly what: string;
}

/** Returns the effects of the rules in the runtime's interpreter and store, ordered by time. */
async function rehearsed(ruleset: Ruleset, said: readonly Said[]): Promise<readonly Out[]> {
  const sent: Out[] = [];
  const never = async (): Promise<never> => {
    throw new Error("nothing is performed");
  };
  const rehearsal = await Rehearsal.open({
    ruleset,
    account: ACCOUNT,
    resolveModule: (_file, module) => module,
    secretsOf: () => ({}),
    performer: { handle: never, call: never, request: never },
    eventOf,
    startAt: BEGINS,
    watch: {
      onTakenIn: () => {},
      onSent: ({ action }, at) => sent.push({ at, what: describeAction(action) }),
      onFault: (message) => {
        throw new Error(message);
      },
    },
  });
  for (const { seq: _seq, partition: _partition, ...entry } of entriesOf(said)) {
    await rehearsal.advanceTo(entry.arrivedAt);
    await rehearsal.deliver(entry);
  }
  await rehearsal.advanceTo(BEGINS + 31 * 24 * 3_600_000);
  await rehearsal.close();
  return sent;
}

/**
 * Returns the effects of the rules in a backtest, in the same form as {@link rehearsed}. Escalations to people send
 * nothing, so they are left out.
 */
async function backtested(ruleset: Ruleset, said: readonly Said[]): Promise<readonly Out[]> {
  const rules = new RulesInTime({ ruleset, usernameOf: () => ACCOUNT.username });
  const entries = entriesOf(said);
  for (const entry of entries) await rules.take(entry);
  await rules.finish();
  return rules.news().over.flatMap(([seq, text]) => {
    const lines: readonly TimedOutgoing[] = text === "" ? [] : JSON.parse(text);
    const arrived = entries[seq - 1]?.arrivedAt ?? NaN;
    return lines
      .filter(({ what }) => !what.startsWith("escalate"))
      .map(({ what, after_ms = 0 }) => ({ at: arrived + after_ms, what }));
  });
}

const inOrder = (all: readonly Out[]) =>
  all.map(({ at, what }) => `${(at - BEGINS) / 1_000} ${what}`).sort();

describe("the output that a backtest computes", () => {
  const { ruleset, problems } = compile([{ path: "rules.yaml", text: RULES }]);

  it("comes from rules without mistakes", () => {
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it.each(Array.from({ length: 12 }, (_, seed) => seed + 1))(
    "is what the runtime's interpreter and store let out (seed %i)",
    async (seed) => {
      const said = saidBy(seed, 60);

      const wanted = await rehearsed(ruleset, said);

      expect(wanted.length).toBeGreaterThan(20);
      expect(inOrder(await backtested(ruleset, said))).toEqual(inOrder(wanted));
    },
  );
});

describe("entries whose answers are known", () => {
  it("are reported once, when none of their runs is open", () => {
    const answers = new EntryAnswers();
    answers.begin({ seq: 1, arrivedAt: 0 });
    answers.onOpened(1);
    answers.add(1, { rule: "a", what: "hello", at: 0 });
    answers.rest();
    const first = answers.news();
    answers.onClosed(1);
    answers.rest();

    expect(first).toMatchObject({ over: [], held: [1] });
    expect(answers.news()).toMatchObject({
      over: [[1, '[{"rule":"a","what":"hello"}]']],
      held: [],
    });
  });
});
