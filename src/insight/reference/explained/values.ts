import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with keys and values anywhere in a file. */
export const VALUES_EXPLAINED = {
  "duplicate-id": {
    why: "State, cooldowns, open runs and reports go by the id, so two of one id would share theirs.",
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
    why: "What was kept under the former id can go to one rule only.",
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
    why: "Numbers are exact to 16 digits or so. Without quotes the id is read as a number and becomes another one: 1234567890123456800.",
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
    why: "Each key says how its value is written; the message does so, too.",
    wrong: example`
      cooldown: { per: sender, for: 10 minutes }
    `,
    right: example`
      cooldown: { per: sender, for: 10m }
    `,
  },
  "missing-key": {
    why: "Without it nobody knows what is meant, and a guess would be a surprise at work.",
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
    why: "The word is kept for a later version, so that rules written today mean the same then.",
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
    why: "A rule in a group that is not there would be alone in it, so it would answer beside the others.",
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
    why: "A key that nobody reads does nothing, and its author thinks that it does.",
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
    why: "Only some words may stand here; the message lists them, or the one that was probably meant.",
    wrong: example`
      mode: queue
    `,
    right: example`
      mode: queued
    `,
  },
  "wrong-type": {
    why: "A number in quotes is a text, and a list is no single value: nothing is turned into another type behind your back.",
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
