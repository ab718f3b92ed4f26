import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with the steps of a rule. */
export const STEPS_EXPLAINED = {
  "action-not-on-trigger": {
    why: "A message can't be liked, and a schedule has no person to answer. For such an event, the step would have nothing to act on.",
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
    why: "No time is both longer than four minutes and shorter than half a minute.",
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
    why: "An option belongs in the map under its verb. Next to the verb are only the keys that every step can have, such as id and if.",
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
    why: "key defines which runs belong together, and mode defines what happens when another one starts. Without mode, all runs are independent.",
    wrong: example`
      key: \${{ conversation.id }}
    `,
    right: example`
      mode: queued
      key: \${{ conversation.id }}
    `,
  },
  "stop-run-key": {
    why: "A rule with a key has one run per key, so stop_run must name the key of the runs to stop. It stops the runs of all people with this key: if it must stop only the person's, the key contains sender.id. Runs of a rule without a key are found by their person.",
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
    why: "A rule that never waits finishes at once, so there is never an open run to stop.",
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
    why: "A waiting question receives the person's next message before other rules do. Only a rule with interrupts: true gets the message first.",
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
    why: "These modes allow one run at a time and have no queue, so max has nothing to limit.",
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
    why: "A step has one verb. The second verb is a separate step, and its dash is missing.",
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
    why: "The step has a name or a condition, but no verb.",
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
    why: "A single branch has nothing to run in parallel with, and more than ten are too many for one run.",
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
    why: "Make the inner branches branches of the outer parallel, which is easier to follow.",
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
    why: "The bot would never write to this person again.",
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
    why: "The person wrote a message and waits for an answer, but the bot is silent and an operator may take hours. To hand over silently, end the line with # check: ignore unheard-hand-over.",
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
    why: "Without retries and on_invalid, the first answer that does not fit makes the run fail: nothing is sent, and the person waits for a reply.",
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
    why: "A repeat has exactly one of these: count (a number of rounds), while or until (a condition), or for_each (a list).",
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
  "repeat-rounds": {
    why: "A run begins at most 1,000 rounds, over all its repeats, and then fails. A repeat inside a repeat begins its rounds again in each outer round.",
    wrong: example`
      actions:
        - repeat:
            count: 50
            sequence:
              - repeat:
                  count: 50
                  sequence: [{ increment: state.sender.points }]
    `,
    right: example`
      actions:
        - repeat:
            count: 50
            sequence: [{ increment: { state.sender.points: 50 } }]
    `,
  },
  "step-after-stop": {
    why: "A stop ends the rule, so the steps below it never run.",
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
    why: "One answer of the person can't be for two questions at once.",
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
    why: "If the person does not answer, the run would stay open forever and receive whatever they write later.",
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
