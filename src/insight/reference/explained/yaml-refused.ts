import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with YAML features that rule files do not support, and with the encoding of a file. */
export const YAML_REFUSED_EXPLAINED = {
  "no-aliases": {
    why: "Each rule is complete by itself, so that it can be read and moved alone. Put quotes around a text that begins with & or *. Put what several rules share into texts, lists or inputs.",
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
    why: "A merge key adds keys from another place, so a reader of the step does not see them.",
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
    why: "In YAML, a word with ! before it names a type, and rule files have no such types. Put quotes around a text that begins with !.",
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
    why: "YAML 1.2 has only true and false; yes, no, on and off are plain texts.",
    wrong: example`
      enabled: off
    `,
    right: example`
      enabled: false
    `,
  },
  "not-utf8": {
    why: "Read as UTF-8, letters would become other characters, in conditions and in answers. In the example, \uFFFD marks the bytes that could not be read.",
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
    why: "A line --- begins a second document, which would be ignored.",
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
    why: "YAML allows only spaces for indentation, because editors show tabs in different widths.",
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
