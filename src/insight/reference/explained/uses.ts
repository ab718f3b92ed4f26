import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with inputs, with files that other files use, and with rules that other rules run. */
export const USES_EXPLAINED = {
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
    why: "The file declares the type of the input and relies on it.",
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
    why: "An input gets its value from its default, or from each file that uses this file. With neither, it has no value; with both, required has no effect.",
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
  "run-in-a-circle": {
    why: "The steps would never end.",
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
    why: "If each rule runs the next one twice, every level doubles the steps: here, one rule would include more than a hundred others.",
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
  "unknown-input": {
    why: "The used file declares no such input, so the value would have no effect.",
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
  "unknown-rule": {
    why: "run finds a rule by its id, and no rule has this id.",
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
  "unknown-variable": {
    why: "The called rule declares its own variables, and with can set only these.",
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
  "use-in-a-circle": {
    why: "The file would include its own rules endlessly.",
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

/** Returns an example rule file with inputs, which other files use. */
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
