import { fold, tidy } from "../../text/fold.ts";
import { withoutLookalikes } from "./lookalikes.ts";

/** Differences between a text and an entry that a list can ignore. */
export const NORMALIZATIONS = ["case", "width", "homoglyphs"] as const;
export type Normalization = (typeof NORMALIZATIONS)[number];

/** Default of `normalize`: operators compare texts in the same way. */
export const USUAL: readonly Normalization[] = ["case", "width"];

/** Conversion of a text before a comparison. */
export interface ListForm {
  /** Name of the form. Forms with the same name are equal. */
  readonly name: string;
  readonly of: (text: string) => string;
}

/** Form that leaves the text unchanged. */
export const AS_IT_CAME: ListForm = { name: "", of: (text) => text };
/** Form in which operators compare texts. */
export const FOLDED: ListForm = { name: "case+width", of: fold };
/** {@link FOLDED} text with Latin letters in place of letters that look like them. */
export const ALIKE: ListForm = alike(FOLDED);

const PLAIN: readonly ListForm[] = [
  AS_IT_CAME,
  FOLDED,
  { name: "case", of: (text) => text.toLowerCase().toUpperCase().toLowerCase() },
  { name: "width", of: tidy },
];

/** Returns the forms in which a list with this `normalize` compares texts. A match in one form is enough. */
export function formsOf(normalize: readonly Normalization[]): readonly ListForm[] {
  const name = USUAL.filter((one) => normalize.includes(one)).join("+");
  const plain = PLAIN.find((form) => form.name === name) ?? FOLDED;
  // the plain form is needed, too: the other one would turn words in Cyrillic or Greek into Latin letters
  return normalize.includes("homoglyphs") ? [plain, alike(plain)] : [plain];
}

function alike({ name, of }: ListForm): ListForm {
  return { name: `${name}+homoglyphs`, of: (text) => of(withoutLookalikes(tidy(text))) };
}

/** Part of the evaluation of an event that tests of fields use: the time, and converted texts. */
export interface FieldEvaluation {
  /** Time of the decision, in milliseconds since the epoch. */
  readonly now: number;
  /** Folds a text of the event as conditions compare it, without white space around it. */
  fold(text: string): string;
  /** Folds a text of the event as patterns search it: like `fold`, but with its case. */
  tidy(text: string): string;
  /** Converts a text of the event into the form in which a list compares it. */
  formed(text: string, form: ListForm): string;
}
