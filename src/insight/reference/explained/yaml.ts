import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with the YAML syntax of a file. */
export const YAML_EXPLAINED = {
  "bad-escape": {
    why: "In double quotes, a backslash begins an escape such as \\n, and YAML has only a few escapes. Write patterns in single quotes, where a backslash is an ordinary character.",
    wrong: example`
      conditions:
        - message.text: { matches: "\d+" }
    `,
    right: example`
      conditions:
        - message.text: { matches: '\d+' }
    `,
  },
  "beside-key": {
    why: "On the line of a key, there is room for a value or for a list in [ ], but not for an item with a dash or for another key.",
    wrong: example`
      triggers: - dm.received
    `,
    right: example`
      triggers:
        - dm.received
    `,
  },
  "blank-after-colon": {
    why: "Without the space, YAML reads key and value as one word.",
    wrong: example`
      enabled:false
    `,
    right: example`
      enabled: false
    `,
  },
  "blank-after-dash": {
    why: "Without the space, YAML reads the dash as the first letter of a word, and there is no list.",
    wrong: example`
      actions:
        -reply_dm: hi
    `,
    right: example`
      actions:
        - reply_dm: hi
    `,
  },
  "bracket-in-text": {
    why: "YAML reads brackets as the beginning of a list or of a map, and the text beside them belongs to nothing. In quotes, they are ordinary characters.",
    wrong: example`
      actions:
        - reply_dm: [NEW] our shop is open
    `,
    right: example`
      actions:
        - reply_dm: "[NEW] our shop is open"
    `,
  },
  "bracket-not-closed": {
    why: "Everything that follows would belong to the open map or list.",
    wrong: example`
      triggers: [dm.received
    `,
    right: example`
      triggers: [dm.received]
    `,
  },
  "bracket-too-many": {
    why: "It is left over from an edit, or belongs to a text that needs quotes.",
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
    why: "YAML reads the words before a colon and a space as a key. In quotes, a text may contain any character.",
    wrong: example`
      actions:
        - reply_dm: Hours: 9 to 17
    `,
    right: example`
      actions:
        - reply_dm: "Hours: 9 to 17"
    `,
  },
  "comma-between": {
    why: "In [ ] and { }, there is one comma between two items.",
    wrong: example`
      triggers: [dm.received,, post.mentioned]
    `,
    right: example`
      triggers: [dm.received, post.mentioned]
    `,
  },
  "comma-in-text": {
    why: "Inside { }, a comma ends a value, so the rest of the text would become a key without a value.",
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
    why: 'In double quotes, "\\b" is a backspace character. In a pattern, \\b should mean a word boundary, so this pattern would never match.',
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
    why: "Only one of the two values could have an effect, and it is unclear which one.",
    wrong: example`
      name: Refunds
      name: Refunds and returns
    `,
    right: example`
      name: Refunds and returns
    `,
  },
  "foreign-line": {
    why: "Such a line is left over from a merge or from a page in Markdown, or it is a comment of another language. YAML can't read it.",
    wrong: example`
      // answers questions
      enabled: true
    `,
    right: example`
      # answers questions
      enabled: true
    `,
  },
  "look-alike": {
    why: "Web pages and word processors replace spaces, dashes and quotes by characters that look the same. YAML reads them as part of the words.",
    wrong: example`
      actions:
        – reply_dm: hi
    `,
    right: example`
      actions:
        - reply_dm: hi
    `,
  },
  "mis-indented": {
    why: "The line has a column that no line above it has, so it belongs to nothing.",
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
    why: "Each list item begins with a dash. Without the dash, this line is another key of the rule.",
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
  "no-colon": {
    why: "A colon separates a key from its value. Without it, YAML reads both as one text.",
    wrong: example`
      enabled true
    `,
    right: example`
      enabled: true
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
    why: "The closing quote ends the text, so the words after it belong to nothing.",
    wrong: example`
      actions:
        - reply_dm: "Hello" they said
    `,
    right: example`
      actions:
        - reply_dm: '"Hello" they said'
    `,
  },
  "nested-too-deep": {
    why: "A file with maps and lists more than 200 deep takes minutes to check, and is probably written by a program with a mistake.",
    wrong: `conditions: ${"[{all: ".repeat(110)}[]${"}]".repeat(110)}\n`,
    right: example`
      conditions:
        - message.text: { contains_word: [hours, open] }
        - sender.verified: true
    `,
  },
  "text-cut-by-comment": {
    why: 'After a space, # begins a comment: people would receive only "Your order".',
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
    why: "Inside { }, YAML reads the braces of an expression as a map.",
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
    why: "YAML reserves @ at the beginning of a value. Put the value in quotes, or leave the @ out: handles are compared without it.",
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
    why: "YAML reserves some characters at the beginning of a value: %, `, > and |. In quotes, they are ordinary characters.",
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
    why: "The line is not valid YAML, so the rest of the file can't be read reliably.",
    wrong: example`
      actions:
        - reply_dm: hi
        [post.mentioned]
    `,
    right: example`
      actions:
        - reply_dm: hi
    `,
  },
} as const satisfies Readonly<Record<string, Explanation>>;
