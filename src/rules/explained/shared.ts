import { example, type Explanation } from "./explanation.ts";

/** Problems with what rules share: lists, hours, texts, inputs, other files and other rules. */
export const SHARED_EXPLAINED = {
  "empty-text": {
    why: "Whoever says it would say nothing.",
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
  "input-missing": {
    why: "The rules of the used file need the value, so none of them would run.",
    wrong: {
      "rules/spring.yaml": example`
        version: 1
        use: [{ file: ../shared/campaign.yaml, as: spring }]
      `,
      "shared/campaign.yaml": campaign(),
    },
    right: {
      "rules/spring.yaml": example`
        version: 1
        use: [{ file: ../shared/campaign.yaml, as: spring, with: { shop: Main Street } }]
      `,
      "shared/campaign.yaml": campaign(),
    },
  },
  "input-type": {
    why: "The file says what its input is, and uses it as that.",
    wrong: example`
      version: 1
      inputs: { wait: { type: duration, default: soon } }
      rules: []
    `,
    right: example`
      version: 1
      inputs: { wait: { type: duration, default: 10m } }
      rules: []
    `,
  },
  "input-without-value": {
    why: "An input has a default, or is given by whoever uses the file. With neither, nobody says what it is.",
    wrong: example`
      version: 1
      inputs: { shop: { type: string } }
      rules: []
    `,
    right: example`
      version: 1
      inputs: { shop: { type: string, default: Main Street } }
      rules: []
    `,
  },
  "list-entries": {
    why: "A list has its entries in the rule file or in a file of its own: one of the two.",
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
    why: "Paths start from the rule file, and what is outside the project is not read.",
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
  "run-in-a-circle": {
    why: "The steps would go on for ever.",
    wrong: example`
      version: 1
      rules:
        - id: greet
          triggers: [dm.received]
          actions: [{ run: goodbye }]
        - id: goodbye
          actions: [{ reply_dm: bye }, { run: goodbye }]
    `,
    right: example`
      version: 1
      rules:
        - id: greet
          triggers: [dm.received]
          actions: [{ run: goodbye }]
        - id: goodbye
          actions: [{ reply_dm: bye }]
    `,
  },
  "run-too-often": {
    why: "Each rule that runs another twice doubles the steps: here there would be more than a hundred rules in one.",
    wrong: example`
      version: 1
      rules:
        - { id: start, triggers: [dm.received], actions: [{ run: one }] }
        - { id: one, actions: [{ run: two }, { run: two }] }
        - { id: two, actions: [{ run: three }, { run: three }] }
        - { id: three, actions: [{ run: four }, { run: four }] }
        - { id: four, actions: [{ run: five }, { run: five }] }
        - { id: five, actions: [{ run: six }, { run: six }] }
        - { id: six, actions: [{ run: seven }, { run: seven }] }
        - { id: seven, actions: [{ run: eight }, { run: eight }] }
        - { id: eight, actions: [{ reply_dm: hi }] }
    `,
    right: example`
      version: 1
      rules:
        - { id: start, triggers: [dm.received], actions: [{ run: one }] }
        - { id: one, actions: [{ repeat: { count: 2, sequence: [{ run: two }] } }] }
        - { id: two, actions: [{ reply_dm: hi }] }
    `,
  },
  "text-holds-itself": {
    why: "Filled in, the text would have no end.",
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
    why: "Hours are looked up by their name in the same file.",
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
  "unknown-input": {
    why: "The used file reads no such value, so it would do nothing.",
    wrong: {
      "rules/spring.yaml": example`
        version: 1
        use: [{ file: ../shared/campaign.yaml, as: spring, with: { shop: Main Street, shp: West End } }]
      `,
      "shared/campaign.yaml": campaign(),
    },
    right: {
      "rules/spring.yaml": example`
        version: 1
        use: [{ file: ../shared/campaign.yaml, as: spring, with: { shop: Main Street } }]
      `,
      "shared/campaign.yaml": campaign(),
    },
  },
  "unknown-language": {
    why: "Languages are written as the platform tells them, by two letters.",
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
    why: "Lists are looked up by their name in the same file; one in a file of its own is named by its path.",
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
  "unknown-rule": {
    why: "A rule is run by its id, and none has this one.",
    wrong: example`
      version: 1
      rules:
        - id: greet
          triggers: [dm.received]
          actions: [{ run: goodby }]
        - id: goodbye
          enabled: false
          triggers: [dm.received]
          actions: [{ reply_dm: bye }]
    `,
    right: example`
      version: 1
      rules:
        - id: greet
          triggers: [dm.received]
          actions: [{ run: goodbye }]
        - id: goodbye
          enabled: false
          triggers: [dm.received]
          actions: [{ reply_dm: bye }]
    `,
  },
  "unknown-text": {
    why: "Texts are said by their name in the same file.",
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
  "unknown-variable": {
    why: "The rule that is run has its own variables, and nothing else can be given to it.",
    wrong: example`
      version: 1
      rules:
        - id: greet
          triggers: [dm.received]
          actions: [{ run: goodbye, with: { nmae: Ann } }]
        - id: goodbye
          variables: { name: you }
          actions: [{ reply_dm: "bye \${{ vars.name }}" }]
    `,
    right: example`
      version: 1
      rules:
        - id: greet
          triggers: [dm.received]
          actions: [{ run: goodbye, with: { name: Ann } }]
        - id: goodbye
          variables: { name: you }
          actions: [{ reply_dm: "bye \${{ vars.name }}" }]
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
  "use-in-a-circle": {
    why: "The file would hold its own rules, and those theirs, without end.",
    wrong: {
      "rules/spring.yaml": example`
        version: 1
        use: [{ file: spring.yaml, as: spring }]
      `,
    },
    right: {
      "rules/spring.yaml": example`
        version: 1
        use: [{ file: ../shared/campaign.yaml, as: spring, with: { shop: Main Street } }]
      `,
      "shared/campaign.yaml": campaign(),
    },
  },
} as const satisfies Readonly<Record<string, Explanation>>;

/** A file for others to use. */
function campaign(): string {
  return example`
    version: 1
    inputs: { shop: { type: string, required: true } }
    rules:
      - id: code
        triggers: [dm.received]
        conditions: [{ message.text: { contains_word: spring } }]
        actions: [{ reply_dm: "Valid at \${{ inputs.shop }}." }]
  `;
}
