import type { Environment } from "@marcbachmann/cel-js";
import { fold } from "../../../text/fold.ts";
import { cut } from "../../../protocol/public-text/cut.ts";
import { containsWord } from "../../../text/words.ts";
import { example } from "../../example.ts";
import { decimalNumber, wholeNumber } from "../../../text/written-number.ts";
import { spend } from "./budget.ts";
import { DRAW_FUNCTIONS, DRAW_OVERLOADS } from "./draw-functions.ts";
import { LIST_FUNCTIONS } from "./list-functions.ts";
import type { CallableFunction, ExpressionFunction } from "./expression-function.ts";

/** Functions of texts in addition to CEL's own. They compare texts in the same way as conditions. */
const FUNCTIONS: readonly CallableFunction[] = [
  {
    signature: "string.same(string): bool",
    description: "The texts are equal for a reader: case and similar differences are ignored.",
    call: (text: string, other: string) => folded(text) === folded(other),
    example: example`
      conditions:
        - if: message.text.same("hello")
    `,
  },
  {
    signature: "string.has_word(string): bool",
    description: "The text contains this as whole words, in any case.",
    call: (text: string, word: string) => hasWord(text, word),
    example: example`
      conditions:
        - if: message.text.has_word("refund")
    `,
  },
  {
    signature: "string.has_word(list<string>): bool",
    description: "The text contains one of these as whole words, in any case.",
    call: (text: string, any: string[]) => any.some((word) => hasWord(text, word)),
    example: example`
      conditions:
        - if: message.text.has_word(["refund", "money back"])
    `,
  },
  {
    signature: "string.contains_any(list<string>): bool",
    description: "The text contains one of these, in any case.",
    call: (text: string, any: string[]) => any.some((one) => folded(text).includes(folded(one))),
    example: example`
      conditions:
        - if: message.text.contains_any(["sale", "offer"])
    `,
  },
  {
    signature: "string.contains_all(list<string>): bool",
    description: "The text contains all of these, in any case.",
    call: (text: string, all: string[]) => all.every((one) => folded(text).includes(folded(one))),
    example: example`
      conditions:
        - if: message.text.contains_all(["order", "late"])
    `,
  },
  {
    signature: "string.upper(): string",
    description: "The text in upper case.",
    call: (text: string) => counted(text).toUpperCase(),
    example: example`
      actions:
        - reply_dm: WELCOME, \${{ sender.name.upper() }}!
    `,
  },
  {
    signature: "string.lower(): string",
    description: "The text in lower case.",
    call: (text: string) => counted(text).toLowerCase(),
    example: example`
      actions:
        - set: { state.sender.city: "\${{ message.text.lower() }}" }
    `,
  },
  {
    signature: "string.truncate(int): string",
    description:
      "The text, cut to this number of characters with an ellipsis at the end. Emoji, mentions and links are not split.",
    call: (text: string, length: bigint) => cut(counted(text), Number(length)),
    example: example`
      actions:
        - reply_dm: You asked "\${{ message.text.truncate(40) }}".
    `,
  },
  {
    signature: "number(string): int",
    description: "The text as a whole number; digits of any script are accepted.",
    call: (text: string) => wholeNumber(counted(text)),
    example: example`
      conditions:
        - if: number(message.text) > 17
    `,
  },
  {
    signature: "decimal(string): double",
    description: "The text as a decimal number, with a decimal point.",
    call: (text: string) => decimalNumber(counted(text)),
    example: example`
      conditions:
        - if: decimal(message.text) >= 2.5
    `,
  },
  {
    signature: "url(string): string",
    description: "The text, encoded for the path or query of a URL.",
    call: (text: string) =>
      encodeURIComponent(counted(text).replaceAll(/\p{Surrogate}/gu, "\ufffd")),
    example: example`
      actions:
        - http: { url: "https://orders.example.test/find?text=\${{ url(message.text) }}" }
    `,
  },
];

const ALL: readonly CallableFunction[] = [...FUNCTIONS, ...LIST_FUNCTIONS, ...DRAW_FUNCTIONS];

/** Functions of expressions in addition to CEL's own. */
export const EXPRESSION_FUNCTIONS: readonly ExpressionFunction[] = ALL;

/** Registers the functions in an environment. */
export function registerTextFunctions(environment: Environment): void {
  for (const { signature, description, call } of ALL) {
    environment.registerFunction(signature, call, { description });
  }
  for (const { signature, call } of DRAW_OVERLOADS) environment.registerFunction(signature, call);
}

function counted(text: string): string {
  spend(text.length);
  return text;
}

function hasWord(text: string, word: string): boolean {
  return containsWord(folded(text), folded(word));
}

/** Cache of folded texts: the words of rules, and the messages that are searched for them. */
const foldedTexts = new Map<string, string>();
const KNOWN = 256;

function folded(text: string): string {
  const before = foldedTexts.get(text);
  // searching a cached text costs less than folding it
  spend(before === undefined ? text.length : Math.ceil(text.length / 4));
  if (before !== undefined) return before;
  const after = fold(text).trim();
  if (foldedTexts.size >= KNOWN) foldedTexts.clear();
  foldedTexts.set(text, after);
  return after;
}
