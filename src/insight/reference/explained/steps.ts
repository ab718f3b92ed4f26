import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with the steps of a rule. */
export const STEPS_EXPLAINED = {
  "action-not-on-trigger": {
    why: "A message can't be liked, and a schedule has nobody to answer: some events would leave the step with nothing to act on.",
    wrong: example`
      triggers: [dm.received]
      actions: [like]
    `,
    right: example`
      triggers: [post.mentioned]
      actions: [like]
    `,
  },
  "delay-range": {
    why: "There is no time that is longer than four minutes and shorter than half a one.",
    wrong: example`
      actions:
        - delay: { min: 4m, max: 30s }
    `,
    right: example`
      actions:
        - delay: { min: 30s, max: 4m }
    `,
  },
  "key-inside-verb": {
    why: "It says how the step does what it does, so it stands under the verb. Beside it stands what every step can have.",
    wrong: example`
      actions:
        - log: hello
          level: warn
    `,
    right: example`
      actions:
        - log: { message: hello, level: warn }
    `,
  },
  "key-without-mode": {
    why: "A key says which runs are the same, which matters only where a mode says what becomes of the second one.",
    wrong: example`
      key: \${{ conversation.id }}
    `,
    right: example`
      mode: queued
      key: \${{ conversation.id }}
    `,
  },
  "stop-run-key": {
    why: "A rule with a key has a run for each key, so the step has to say which of them ends; where there is no key, the person says it.",
    wrong: example`
      version: 1
      rules:
        - id: remind
          triggers: [dm.received]
          conditions: [{ message.text: { matches: '^remind (?P<what>\\w+)$' } }]
          mode: parallel
          key: \${{ captures.what }}
          actions: [{ delay: 1h }, { reply_dm: Now. }]
        - id: forget
          triggers: [dm.received]
          conditions: [{ message.text: { matches: '^forget (?P<what>\\w+)$' } }]
          actions: [{ stop_run: remind }]
    `,
    right: example`
      version: 1
      rules:
        - id: remind
          triggers: [dm.received]
          conditions: [{ message.text: { matches: '^remind (?P<what>\\w+)$' } }]
          mode: parallel
          key: \${{ captures.what }}
          actions: [{ delay: 1h }, { reply_dm: Now. }]
        - id: forget
          triggers: [dm.received]
          conditions: [{ message.text: { matches: '^forget (?P<what>\\w+)$' } }]
          actions: [{ stop_run: { rule: remind, key: "\${{ captures.what }}" } }]
    `,
  },
  "stop-run-never": {
    why: "A rule that answers at once is over before anything else happens: there is no run of it that could be ended.",
    wrong: example`
      version: 1
      rules:
        - id: hello
          triggers: [dm.received]
          conditions: [{ message.text: hello }]
          actions: [{ reply_dm: Hi! }]
        - id: cancel
          triggers: [dm.received]
          conditions: [{ message.text: cancel }]
          actions: [{ stop_run: hello }]
    `,
    right: example`
      version: 1
      rules:
        - id: hello
          triggers: [dm.received]
          conditions: [{ message.text: hello }]
          actions: [{ delay: 5m }, { reply_dm: Hi! }]
        - id: cancel
          triggers: [dm.received]
          conditions: [{ message.text: cancel }]
          actions: [{ stop_run: hello }]
    `,
  },
  "stop-run-unheard": {
    why: "A question takes the person's next message for its answer. A rule that is to hear it first says so.",
    wrong: example`
      version: 1
      rules:
        - id: form
          triggers: [dm.received]
          conditions: [{ message.text: order }]
          actions: [{ ask: { text: Your name?, within: 1h } }, { reply_dm: Thank you! }]
        - id: away
          triggers: [dm.received]
          conditions: [{ message.text: { contains: forget it } }]
          actions: [{ stop_run: form }]
    `,
    right: example`
      version: 1
      rules:
        - id: form
          triggers: [dm.received]
          conditions: [{ message.text: order }]
          actions: [{ ask: { text: Your name?, within: 1h } }, { reply_dm: Thank you! }]
        - id: away
          triggers: [dm.received]
          interrupts: true
          conditions: [{ message.text: { contains: forget it } }]
          actions: [{ stop_run: form }]
    `,
  },
  "max-without-use": {
    why: "With this mode there is one run at a time and nothing waits, so there is nothing to count.",
    wrong: example`
      mode: single
      max: 3
    `,
    right: example`
      mode: queued
      max: 3
    `,
  },
  "mis-indented-step": {
    why: "A step does one thing. The second verb is a step of its own, and its dash is missing.",
    wrong: example`
      actions:
        - log: a
          reply_dm: b
    `,
    right: example`
      actions:
        - log: a
        - reply_dm: b
    `,
  },
  "no-verb": {
    why: "The step has a name or a condition and nothing to do.",
    wrong: example`
      actions:
        - name: greet
    `,
    right: example`
      actions:
        - name: greet
          reply_dm: hi
    `,
  },
  "parallel-branches": {
    why: "One branch alone goes beside nothing, and more than ten are more than one run should do at once.",
    wrong: example`
      actions:
        - parallel: { one: [{ reply_dm: hi }] }
    `,
    right: example`
      actions:
        - parallel: { one: [{ reply_dm: hi }], other: [{ log: somebody wrote }] }
    `,
  },
  "parallel-in-parallel": {
    why: "Branches of branches can be written as branches of the outer one, which is easier to follow.",
    wrong: example`
      actions:
        - parallel:
            one:
              - parallel: { a: [{ log: a }], b: [{ log: b }] }
            other: [{ log: c }]
    `,
    right: example`
      actions:
        - parallel: { a: [{ log: a }], b: [{ log: b }], other: [{ log: c }] }
    `,
  },
  "pause-without-end": {
    why: "The bot would never speak to this person again.",
    wrong: example`
      actions:
        - reply_dm: A person will write to you here.
        - escalate: { queue: support, pause_bot: { per: sender } }
    `,
    right: example`
      actions:
        - reply_dm: A person will write to you here.
        - escalate: { queue: support, pause_bot: { per: sender, for: 12h, until: resolved } }
    `,
  },
  "unheard-hand-over": {
    why: "The person wrote a message and waits. The bot says nothing any more, and an operator may take hours. To hand over in silence, put # check: ignore unheard-hand-over behind the line.",
    wrong: example`
      actions:
        - escalate: { queue: support, pause_bot: { for: 12h, until: resolved } }
    `,
    right: example`
      actions:
        - reply_dm: A person will write to you here.
        - escalate: { queue: support, pause_bot: { for: 12h, until: resolved } }
    `,
  },
  "unheard-answer": {
    why: "Without retries and on_invalid the first answer that does not fit makes the run fail: nothing is sent, and the person waits for a reply.",
    wrong: example`
      actions:
        - ask: { text: "Emma or Dracula?", expect: { in: [emma, dracula] }, within: 1h }
    `,
    right: example`
      actions:
        - ask:
            text: Emma or Dracula?
            expect: { in: [emma, dracula] }
            retries: 1
            within: 1h
            on_invalid: [{ reply_dm: Then we count no vote. }]
    `,
  },
  "repeat-how": {
    why: "It says one of: how often, while what, until what, or for each of which list.",
    wrong: example`
      actions:
        - repeat:
            sequence: [{ reply_dm: hi }]
    `,
    right: example`
      actions:
        - repeat:
            count: 3
            sequence: [{ reply_dm: hi }]
    `,
  },
  "step-after-stop": {
    why: "A stop ends the steps, so what stands below it never happens.",
    wrong: example`
      actions:
        - stop: done
        - reply_dm: hi
    `,
    right: example`
      actions:
        - reply_dm: hi
        - stop: done
    `,
  },
  "two-branches-listen": {
    why: "An answer of the person can't be for two questions at once.",
    wrong: example`
      actions:
        - parallel:
            name: [{ ask: { text: "What is your name?", within: 5m } }]
            size: [{ ask: { text: "Which size?", within: 5m } }]
    `,
    right: example`
      actions:
        - ask: { text: "What is your name?", within: 5m }
        - ask: { text: "Which size?", within: 5m }
    `,
  },
  "wait-without-limit": {
    why: "Who does not answer would keep the run open for ever, and with it what they write later.",
    wrong: example`
      actions:
        - ask: { text: "What is your order number?" }
    `,
    right: example`
      actions:
        - ask:
            text: "What is your order number?"
            within: 15m
            on_timeout: [{ stop: no answer }]
    `,
  },
} as const satisfies Readonly<Record<string, Explanation>>;
