import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with keys and values anywhere in a file. */
export const VALUES_EXPLAINED = {
  "duplicate-id": {
    why: "State, cooldowns, open runs and reports are stored by id, so two rules or steps with one id would share them.",
    wrong: example`
      actions:
        - { id: note, log: a }
        - { id: note, log: b }
    `,
    right: example`
      actions:
        - { id: note, log: a }
        - { id: note_2, log: b }
    `,
  },
  "former-id-taken": {
    why: "Data stored under the former id can move to only one rule.",
    wrong: example`
      version: 1
      rules:
        - { id: refund, triggers: [dm.received], conditions: [{ text: refund }], actions: [{ reply_dm: yes }] }
        - { id: other, formerly: [refund], triggers: [dm.received], actions: [{ reply_dm: hi }] }
    `,
    right: example`
      version: 1
      rules:
        - { id: refund, triggers: [dm.received], conditions: [{ text: refund }], actions: [{ reply_dm: yes }] }
        - { id: other, triggers: [dm.received], actions: [{ reply_dm: hi }] }
    `,
  },
  "id-loses-digits": {
    why: "Numbers are exact to about 16 digits. Without quotes, YAML reads the id as a number and rounds it: 1234567890123456800.",
    wrong: example`
      conditions:
        - sender.id: 1234567890123456789
    `,
    right: example`
      conditions:
        - sender.id: "1234567890123456789"
    `,
  },
  "invalid-value": {
    why: "Each key expects a certain form of value, and the message names it.",
    wrong: example`
      cooldown: { per: sender, for: 10 minutes }
    `,
    right: example`
      cooldown: { per: sender, for: 10m }
    `,
  },
  "missing-key": {
    why: "The step or rule is incomplete without the key, and check does not guess its value.",
    wrong: example`
      actions:
        - escalate: { note: please help }
    `,
    right: example`
      actions:
        - escalate: { queue: support, note: please help }
    `,
  },
  "not-in-this-version": {
    why: "The word is reserved, so that a later version can use it without changing the meaning of existing rules.",
    wrong: example`
      conditions:
        - if: user.verified
    `,
    right: example`
      conditions:
        - if: sender.verified
    `,
  },
  "unknown-group": {
    why: "A rule in an undeclared group would be alone in it, so it would answer in addition to the other rules.",
    wrong: example`
      group: helpp
    `,
    right: example`
      version: 1
      groups: { help: { match: first } }
      rules:
        - id: example
          group: help
          triggers: [dm.received]
          actions: [{ reply_dm: hi }]
    `,
  },
  "unknown-key": {
    why: "An unknown key would have no effect, although its author expects one.",
    wrong: example`
      actions:
        - repply_dm: hi
    `,
    right: example`
      actions:
        - reply_dm: hi
    `,
  },
  "unknown-word": {
    why: "Only certain words are allowed here. The message lists them, or suggests the most similar one.",
    wrong: example`
      mode: queue
    `,
    right: example`
      mode: queued
    `,
  },
  "wrong-type": {
    why: "A number in quotes is a text, and a list is not a single value. Values are never converted silently.",
    wrong: example`
      conditions:
        - sender.followers_count: { gt: "1,000" }
    `,
    right: example`
      conditions:
        - sender.followers_count: { gt: 1000 }
    `,
  },
} as const satisfies Readonly<Record<string, Explanation>>;
