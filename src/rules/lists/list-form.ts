import { fold, tidy } from "../../text/fold.ts";
import { withoutLookalikes } from "./lookalikes.ts";

/** What is made the same of a text and of the entries of a list before they are compared. */
export const NORMALIZATIONS = ["case", "width", "homoglyphs"] as const;
export type Normalization = (typeof NORMALIZATIONS)[number];

/** As every operator compares text, unless a list says otherwise. */
export const USUAL: readonly Normalization[] = ["case", "width"];

/** How a text is written before it is compared. */
export interface ListForm {
  /** Names it: forms of one name are the same. */
  readonly name: string;
  readonly of: (text: string) => string;
}

/** As the text came. */
export const AS_IT_CAME: ListForm = { name: "", of: (text) => text };
/** As every operator compares it. */
export const FOLDED: ListForm = { name: "case+width", of: fold };
/** As {@link FOLDED}, with Latin letters for what looks like one. */
export const ALIKE: ListForm = alike(FOLDED);

const PLAIN: readonly ListForm[] = [
  AS_IT_CAME,
  FOLDED,
  { name: "case", of: (text) => text.toLowerCase().toUpperCase().toLowerCase() },
  { name: "width", of: tidy },
];

/** The forms in which a text is compared: one of them is enough. */
export function formsOf(normalize: readonly Normalization[]): readonly ListForm[] {
  const name = USUAL.filter((one) => normalize.includes(one)).join("+");
  const plain = PLAIN.find((form) => form.name === name) ?? FOLDED;
  // what is written in one alphabet is found as it is, whatever its letters look like
  return normalize.includes("homoglyphs") ? [plain, alike(plain)] : [plain];
}

function alike({ name, of }: ListForm): ListForm {
  return { name: `${name}+homoglyphs`, of: (text) => of(withoutLookalikes(tidy(text))) };
}

/** Values that tests of a field see while an event is evaluated. */
export interface FieldEvaluation {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A text of the event as conditions compare it: folded, no white space around it. */
  fold(text: string): string;
  /** As patterns search it: as `fold`, with its case. */
  tidy(text: string): string;
  /** As lists of that form compare it. */
  formed(text: string, form: ListForm): string;
}
