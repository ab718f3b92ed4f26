import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with the shared parts of a rule file: lists, hours, texts. */
export const SHARED_EXPLAINED = {
  "empty-text": {
    why: "A step that uses the text would send nothing.",
    wrong: example`
      version: 1
      texts: { hours: {} }
      rules: []
    `,
    right: example`
      version: 1
      texts: { hours: { en: We open at nine. } }
      rules: []
    `,
  },
  "list-entries": {
    why: "A list has its entries either in the rule file or in a file of its own.",
    wrong: example`
      version: 1
      lists: { rude: { match: word } }
      rules: []
    `,
    right: example`
      version: 1
      lists: { rude: { match: word, entries: [fool, idiot] } }
      rules: []
    `,
  },
  "named-file": {
    why: "Paths are relative to the rule file, and files outside the project are not read.",
    wrong: {
      "rules/staff.yaml": example`
        version: 1
        rules:
          - id: staff
            triggers: [dm.received]
            conditions: [{ sender.username: { in_list: lists/staf.txt } }]
            actions: [{ reply_dm: Hello }]
      `,
      "rules/lists/staff.txt": "ann\nben\n",
    },
    right: {
      "rules/staff.yaml": example`
        version: 1
        rules:
          - id: staff
            triggers: [dm.received]
            conditions: [{ sender.username: { in_list: lists/staff.txt } }]
            actions: [{ reply_dm: Hello }]
      `,
      "rules/lists/staff.txt": "ann\nben\n",
    },
  },
  "text-holds-itself": {
    why: "The resulting text would be infinitely long.",
    wrong: example`
      version: 1
      texts:
        one: "\${{ texts.two }}"
        two: "and \${{ texts.one }}"
      rules:
        - id: example
          triggers: [dm.received]
          actions: [{ reply_dm: { say: one } }]
    `,
    right: example`
      version: 1
      texts:
        one: "\${{ texts.two }}"
        two: and so on
      rules:
        - id: example
          triggers: [dm.received]
          actions: [{ reply_dm: { say: one } }]
    `,
  },
  "unknown-hours": {
    why: "Hours are found by their name, in the same file.",
    wrong: example`
      conditions:
        - now: { within: office }
    `,
    right: example`
      version: 1
      hours: { office: { zone: Europe/Berlin, open: ["mon-fri 09:00-17:30"] } }
      rules:
        - id: example
          triggers: [dm.received]
          conditions: [{ now: { within: office } }]
          actions: [{ reply_dm: hi }]
    `,
  },
  "unknown-language": {
    why: "A language is a code of two letters, as on the platform.",
    wrong: example`
      version: 1
      texts: { hours: { english: We open at nine. } }
      rules: []
    `,
    right: example`
      version: 1
      texts: { hours: { en: We open at nine. } }
      rules: []
    `,
  },
  "unknown-list": {
    why: "A list in the same file is found by its name, and a list in a file of its own by its path.",
    wrong: example`
      conditions:
        - sender.username: { in_list: staff }
    `,
    right: example`
      version: 1
      lists: { staff: [ann, ben] }
      rules:
        - id: example
          triggers: [dm.received]
          conditions: [{ sender.username: { in_list: staff } }]
          actions: [{ reply_dm: hi }]
    `,
  },
  "unknown-text": {
    why: "Texts are found by their name, in the same file.",
    wrong: example`
      actions:
        - reply: { say: hours }
    `,
    right: example`
      version: 1
      texts: { hours: We open at nine. }
      rules:
        - id: example
          triggers: [dm.received]
          actions: [{ reply: { say: hours } }]
    `,
  },
  "unknown-zone": {
    why: "Time zones have the names of the IANA database: a region and a city.",
    wrong: example`
      version: 1
      hours: { office: { zone: Berlin, open: ["mon-fri 09:00-17:30"] } }
      rules: []
    `,
    right: example`
      version: 1
      hours: { office: { zone: Europe/Berlin, open: ["mon-fri 09:00-17:30"] } }
      rules: []
    `,
  },
} as const satisfies Readonly<Record<string, Explanation>>;
