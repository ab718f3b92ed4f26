import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with the YAML syntax of a file. */
export const YAML_EXPLAINED = {
  "bad-escape": {
    why: "In double quotes a backslash begins an escape such as \\n, and YAML knows no other ones. A pattern full of them is best written in single quotes, where a backslash stands for itself.",
    wrong: example`
      conditions:
        - message.text: { matches: "\d+" }
    `,
    right: example`
      conditions:
        - message.text: { matches: '\d+' }
    `,
  },
  "blank-after-colon": {
    why: "Without the blank, YAML reads key and value as one word.",
    wrong: example`
      enabled:false
    `,
    right: example`
      enabled: false
    `,
  },
  "blank-after-dash": {
    why: "Without the blank, YAML reads the dash as the first letter of a word, and there is no list.",
    wrong: example`
      actions:
        -reply_dm: hi
    `,
    right: example`
      actions:
        - reply_dm: hi
    `,
  },
  "bracket-not-closed": {
    why: "Everything that follows would belong to the map or list that is open.",
    wrong: example`
      triggers: [dm.received
    `,
    right: example`
      triggers: [dm.received]
    `,
  },
  "bracket-too-many": {
    why: "It is left over from a change, or belongs to a text that has no quotes.",
    wrong: example`
      conditions:
        - message.text: { contains: refund }}
    `,
    right: example`
      conditions:
        - message.text: { contains: refund }
    `,
  },
  "colon-in-text": {
    why: "YAML reads what stands before a colon with a blank as a key. In quotes a text may hold anything.",
    wrong: example`
      actions:
        - reply_dm: Hours: 9 to 17
    `,
    right: example`
      actions:
        - reply_dm: "Hours: 9 to 17"
    `,
  },
  "comma-in-text": {
    why: "Inside { } a comma ends a value, so the rest of the text would be a key without a value.",
    wrong: example`
      actions:
        - reply_dm: { text: Hello, friend }
    `,
    right: example`
      actions:
        - reply_dm: { text: "Hello, friend" }
    `,
  },
  "control-character": {
    why: 'In double quotes "\\b" is the character backspace. In a pattern the boundary of a word is meant, which nobody would ever find.',
    wrong: example`
      conditions:
        - message.text: { matches: "\border" }
    `,
    right: example`
      conditions:
        - message.text: { matches: '\border' }
    `,
  },
  "duplicate-key": {
    why: "Only one of the two could count, and which one is anybody's guess.",
    wrong: example`
      name: Refunds
      name: Refunds and returns
    `,
    right: example`
      name: Refunds and returns
    `,
  },
  "mis-indented": {
    why: "By its column the line belongs to nothing above it.",
    wrong: example`
      actions:
          - log: a
        - reply_dm: b
    `,
    right: example`
      actions:
        - log: a
        - reply_dm: b
    `,
  },
  "missing-dash": {
    why: "The items of a list begin with a dash; without one this is another key of the rule.",
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
  "quote-not-closed": {
    why: "Everything to the end of the file would belong to the text.",
    wrong: example`
      actions:
        - reply_dm: "Hello
    `,
    right: example`
      actions:
        - reply_dm: "Hello"
    `,
  },
  "text-after-quote": {
    why: "With the closing quote the text is over, so what follows would belong to nothing.",
    wrong: example`
      actions:
        - reply_dm: "Hello" they said
    `,
    right: example`
      actions:
        - reply_dm: '"Hello" they said'
    `,
  },
  "text-cut-by-comment": {
    why: 'After a blank, # begins a comment: people would be sent "Your order" and nothing more.',
    wrong: example`
      actions:
        - reply_dm: Your order #12345 has shipped
    `,
    right: example`
      actions:
        - reply_dm: "Your order #12345 has shipped"
    `,
  },
  "unquoted-expression": {
    why: "Inside { } the braces of an expression are read as braces of the map.",
    wrong: example`
      actions:
        - reply_dm: { text: \${{ sender.name }} }
    `,
    right: example`
      actions:
        - reply_dm: { text: "\${{ sender.name }}" }
    `,
  },
  "unquoted-handle": {
    why: "YAML keeps the sign @ for itself; in quotes it is a letter like any other. Handles are compared without it.",
    wrong: example`
      conditions:
        - sender.username: @support
    `,
    right: example`
      conditions:
        - sender.username: support
    `,
  },
  "unquoted-text": {
    why: "YAML keeps some signs for itself where a value begins: %, `, > and |. In quotes they are letters like any other.",
    wrong: example`
      actions:
        - reply_dm: %off today
    `,
    right: example`
      actions:
        - reply_dm: "%off today"
    `,
  },
  "yaml-syntax": {
    why: "There is no way to read it, so nobody knows what the rest of the file means.",
    wrong: example`
      triggers: - dm.received
    `,
    right: example`
      triggers:
        - dm.received
    `,
  },
} as const satisfies Readonly<Record<string, Explanation>>;
