import { expect, it } from "vitest";
import { failuresOf } from "./support.ts";

const FORM = `
  - id: order-form
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: order } }]
    actions:
      - id: name
        ask: { text: Your name?, cancel_on: [], within: 1h }
      - id: size
        ask: { text: Which size?, within: 1h }
      - reply_dm: Thank you, \${{ steps.name.text }}!
  - id: reminder
    triggers: [dm.received]
    conditions: [{ message.text: { starts_with: "remind" } }]
    actions:
      - delay: 1h
      - reply_dm: This is your reminder.
`;

it("ends a person's open form, and returns the number of ended runs", async () => {
  const rules = `${FORM}
  - id: cancel
    triggers: [dm.received]
    interrupts: true
    conditions: [{ message.text: { contains_word: cancel } }]
    actions:
      - id: over
        stop_run: order-form
      - if: steps.over.result > 0
        then: [{ reply_dm: Cancelled. }]
        else: [{ reply_dm: There is nothing to cancel. }]
  `;
  const failures = await failuresOf(
    rules,
    `
    - name: in the form
      events:
        - {at: 0s, dm.received: {from: ann, text: order}}
        - {at: 1s, dm.received: {from: ben, text: order}}
        - {at: 2s, dm.received: {from: ann, text: Cancel it}}
        - {at: 3s, dm.received: {from: ann, text: Ann}}
        - {at: 4s, dm.received: {from: ben, text: Ben}}
      expect:
        - {at: 0s, reply_dm: {to: ann, text: Your name?}}
        - {at: 1s, reply_dm: {to: ben, text: Your name?}}
        - {at: 2s, reply_dm: {to: ann, text: Cancelled.}}
        - {at: 4s, reply_dm: {to: ben, text: Which size?}}
      expect_open_runs: [{rule: order-form, waiting_at: size}]
    - name: outside of it
      events: [{dm.received: {from: ann, text: cancel}}]
      expect: [{reply_dm: {text: There is nothing to cancel.}}]
    `,
  );

  expect(failures).toEqual([]);
});

it("ends runs that wait for a time, of several rules", async () => {
  const rules = `${FORM}
  - id: reset
    triggers: [dm.received]
    interrupts: true
    conditions: [{ message.text: reset }]
    actions:
      - id: over
        stop_run: [order-form, reminder]
      - reply_dm: "Ended: \${{ steps.over.result }}"
  `;
  const failures = await failuresOf(
    rules,
    `
    - name: two reminders and a form
      events:
        - {at: 0s, dm.received: {from: ann, text: remind me}}
        - {at: 1s, dm.received: {from: ann, text: remind me}}
        - {at: 2s, dm.received: {from: ann, text: order}}
        - {at: 3s, dm.received: {from: ann, text: reset}}
      expect:
        - {at: 2s, reply_dm: {text: Your name?}}
        - {at: 3s, reply_dm: {text: "Ended: 3"}}
      expect_open_runs: []
      advance_to: 2h
    `,
  );

  expect(failures).toEqual([]);
});

it("ends other runs of its own rule, and continues itself", async () => {
  const failures = await failuresOf(
    `
    - id: note
      triggers: [dm.received]
      conditions: [{ message.text: { starts_with: "note" } }]
      actions:
        - stop_run: note
        - delay: 10m
        - reply_dm: "Your last: \${{ message.text }}"
    `,
    `
    - name: the last one counts
      events:
        - {at: 0s, dm.received: {from: ann, text: note one}}
        - {at: 5m, dm.received: {from: ann, text: note two}}
      expect: [{at: 15m, reply_dm: {text: "Your last: note two"}}]
      expect_open_runs: []
    `,
  );

  expect(failures).toEqual([]);
});

it("ends the run with the key, if runs of the rule have keys", async () => {
  const failures = await failuresOf(
    `
    - id: remind
      triggers: [dm.received]
      conditions: [{ message.text: { matches: '^remind (?P<what>\\w+)$' } }]
      mode: parallel
      key: \${{ sender.id }} \${{ captures.what }}
      actions:
        - delay: 1h
        - reply_dm: Remember \${{ captures.what }}
    - id: forget
      triggers: [dm.received]
      conditions: [{ message.text: { matches: '^forget (?P<what>\\w+)$' } }]
      actions:
        - stop_run: { rule: remind, key: "\${{ sender.id }} \${{ captures.what }}" }
    `,
    `
    - name: one of two
      events:
        - {at: 0s, dm.received: {from: ann, text: remind milk}}
        - {at: 1s, dm.received: {from: ann, text: remind eggs}}
        - {at: 2s, dm.received: {from: ben, text: remind milk}}
        - {at: 3s, dm.received: {from: ann, text: forget milk}}
      expect:
        - {at: 3601s, reply_dm: {to: ann, text: Remember eggs}}
        - {at: 3602s, reply_dm: {to: ben, text: Remember milk}}
      expect_open_runs: []
    `,
  );

  expect(failures).toEqual([]);
});

it("ends a run with its branches, from a branch and from a rule that is run", async () => {
  const failures = await failuresOf(
    `
    - id: two-ways
      triggers: [dm.received]
      conditions: [{ message.text: go }]
      actions:
        - parallel:
            soon: [{ delay: 1h }, { reply_dm: soon }]
            late: [{ delay: 2h }, { reply_dm: late }]
        - reply_dm: both
    - id: stop-it
      triggers: [dm.received]
      conditions: [{ message.text: no }]
      actions:
        - parallel:
            one: [{ run: ending }]
            other: [{ delay: 1m }]
        - reply_dm: Ended.
    - id: ending
      actions: [{ stop_run: two-ways }]
    `,
    `
    - name: ended after a minute
      events:
        - {at: 0s, dm.received: {from: ann, text: go}}
        - {at: 60s, dm.received: {from: ann, text: no}}
      expect: [{at: 120s, reply_dm: {text: Ended.}}]
      expect_open_runs: []
      advance_to: 3h
    `,
  );

  expect(failures).toEqual([]);
});

const QUESTION = `
  - id: greeting
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: [hi, hello] } }]
    actions: [{ reply_dm: Hello! }]
  - id: order
    mode: restart
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: order } }]
    actions:
      - id: number
        ask: { text: Which one?, expect: { matches: '(?P<no>[A-Z]\\d{5})' }, retries: 1, within: 24h, on_timeout: [stop] }
      - reply_dm: Thanks for \${{ steps.number.captures.no }}.
  - id: human
    interrupts: true
    triggers: [dm.received]
    conditions: [{ message.text: human }]
    actions:
      - escalate: { queue: support, pause_bot: { for: 1h } }
      - reply_dm: A person writes to you.
`;

it("starts a rule with mode: restart over only if no rule of its group comes before it", async () => {
  const failures = await failuresOf(
    QUESTION,
    `
    - name: over
      events:
        - {at: 0s, dm.received: {from: ann, text: order}}
        - {at: 1s, dm.received: {from: ann, text: my order is A12345}}
      expect: [{reply_dm: {text: Which one?}}, {reply_dm: {text: Which one?}}]
    - name: an answer
      events:
        - {at: 0s, dm.received: {from: ann, text: order}}
        - {at: 1s, dm.received: {from: ann, text: "hi, my order is A12345"}}
      expect: [{reply_dm: {text: Which one?}}, {reply_dm: {text: Thanks for A12345.}}]
    `,
  );

  expect(failures).toEqual([]);
});

it("ends an open question that the person would have answered to the one who took over", async () => {
  const failures = await failuresOf(
    QUESTION,
    `
    - name: after the hand-over
      events:
        - {at: 0s, dm.received: {from: ann, text: order}}
        - {at: 1s, dm.received: {from: ann, text: human}}
        - {at: 2m, dm.received: {from: ann, text: it is A12345}}
        - {at: 2h, dm.received: {from: ann, text: "hello, thank you"}}
      expect:
        - {at: 0s, reply_dm: {text: Which one?}}
        - {at: 1s, escalate: {}}
        - {at: 1s, reply_dm: {text: A person writes to you.}}
        - {at: 2h, reply_dm: {text: Hello!}}
      expect_open_runs: []
    - name: only if the person wrote meanwhile
      events:
        - {at: 0s, dm.received: {from: ann, text: order}}
        - {at: 1s, dm.received: {from: ann, text: human}}
        - {at: 2h, dm.received: {from: ann, text: it is A12345}}
      expect:
        - {at: 0s, reply_dm: {text: Which one?}}
        - {at: 1s, escalate: {}}
        - {at: 1s, reply_dm: {text: A person writes to you.}}
        - {at: 2h, reply_dm: {text: Thanks for A12345.}}
    `,
  );

  expect(failures).toEqual([]);
});
