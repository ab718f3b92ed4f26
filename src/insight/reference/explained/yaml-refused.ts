import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with YAML features that rule files do not support, and with the encoding of a file. */
export const YAML_REFUSED_EXPLAINED = {
  "no-aliases": {
    why: "A rule says everything itself, so that it can be read and moved by itself. A text that begins with & or * needs quotes; what several rules share stands in texts, lists and inputs.",
    wrong: example`
      actions:
        - reply_dm: *really*
    `,
    right: example`
      actions:
        - reply_dm: "*really*"
    `,
  },
  "no-merge-keys": {
    why: "A merge key takes in keys from somewhere else, and who reads the step does not see which.",
    wrong: example`
      actions:
        - reply_dm: hi
          <<: { continue_on_error: true }
    `,
    right: example`
      actions:
        - reply_dm: hi
          continue_on_error: true
    `,
  },
  "no-tags": {
    why: "In YAML a word with ! before it names a type, and the language has none. A text that begins with one needs quotes.",
    wrong: example`
      actions:
        - reply_dm: !important
    `,
    right: example`
      actions:
        - reply_dm: "!important"
    `,
  },
  "not-a-boolean": {
    why: "YAML 1.2 knows true and false only; yes, no, on and off are texts like any other.",
    wrong: example`
      enabled: off
    `,
    right: example`
      enabled: false
    `,
  },
  "not-utf8": {
    why: "Read as UTF-8, its letters would turn to signs that nobody has written, in conditions and in answers. The sign here stands for what could not be read.",
    wrong: example`
      actions:
        - reply_dm: Gr${"\uFFFD"}${"\uFFFD"}e
    `,
    right: example`
      actions:
        - reply_dm: Grüße
    `,
  },
  "second-document": {
    why: "A line --- begins another document, which nothing would read.",
    wrong: example`
      version: 1
      rules: []
      ---
      version: 1
      rules: []
    `,
    right: example`
      version: 1
      rules: []
    `,
  },
  "tab-indent": {
    why: "YAML indents by blanks only: how wide a tab is, is the editor's matter.",
    wrong: example`
      actions:
      ${"\t"}- reply_dm: hi
    `,
    right: example`
      actions:
        - reply_dm: hi
    `,
  },
} as const satisfies Readonly<Record<string, Explanation>>;
