import type { FieldType } from "../../events/fields.ts";
import type { StateUse } from "../schema/state-keys.ts";

/**
 * As what a text is looked at: as the language compares it, as it came, as patterns can match it, or as what
 * its letters look like.
 */
export type TextForm = "folded" | "exact" | "pattern" | "alike";

/** How a text is searched: for texts in one of its forms, or with sets of patterns. */
export type TextSearch = TextForm | "patterns" | "patterns cased";

/** Path of a field of the event, or user state with the type that it is read as. */
export type IndexedField = string | { readonly use: StateUse; readonly type: FieldType };

/** Tells whether what an atom asks for is kept as user state. */
export function asksState({ field }: Atom): boolean {
  return typeof field === "object";
}

/** Something that is in an event or is not, and can be looked up for all rules at once. */
export type Atom =
  /** The text of a field holds `text`; `bounded`: and no ASCII letter or digit goes on from it. */
  | {
      readonly kind: "text";
      readonly field: IndexedField;
      readonly form: TextForm;
      readonly text: string;
      readonly bounded: boolean;
    }
  /** A field is this value, or has it in its list. */
  | {
      readonly kind: "value";
      readonly field: IndexedField;
      readonly form: TextForm;
      readonly value: string | number | boolean;
    }
  /** The text of a field matches an RE2 pattern; unless `cased`, the pattern is written for tidy text. */
  | {
      readonly kind: "pattern";
      readonly field: IndexedField;
      readonly source: string;
      readonly cased: boolean;
    }
  /** A number lies between these, both included; of a time it is its age in milliseconds. */
  | {
      readonly kind: "range";
      readonly field: IndexedField;
      readonly from: number;
      readonly to: number;
    };

/**
 * Atoms of which one at least must be in the event; `undefined` where nothing is known.
 *
 * It may let through what then does not hold, and never keeps back what does.
 */
export type Need = readonly Atom[] | undefined;

/** One of `texts` stands in the field; an empty one stands in every text. */
export function substrings(
  field: IndexedField,
  form: TextForm,
  texts: readonly string[],
  bounded = false,
): Need {
  if (texts.includes("")) return undefined;
  return texts.map((text): Atom => ({ kind: "text", field, form, text, bounded }));
}

/** The field is one of `all`. */
export function values(
  field: IndexedField,
  form: TextForm,
  all: readonly (string | number | boolean)[],
): Need {
  return all.map((value): Atom => ({ kind: "value", field, form, value }));
}

/** One of several must hold. */
export function anyOf(needs: readonly Need[]): Need {
  const atoms: Atom[] = [];
  for (const need of needs) {
    if (need === undefined) return undefined;
    atoms.push(...need);
  }
  return atoms;
}

/** All of several must hold: the one that fewest events have. */
export function bestOf(needs: readonly Need[]): Need {
  let best: Need;
  for (const need of needs) {
    if (need !== undefined && (best === undefined || costOf(need) < costOf(best))) best = need;
  }
  return best;
}

/** How many events have one of the atoms, by a rough measure. */
function costOf(need: readonly Atom[]): number {
  return need.reduce((sum, atom) => sum + costOfAtom(atom), 0);
}

function costOfAtom(atom: Atom): number {
  return asksState(atom) ? STATE_COST + costInEvent(atom) : costInEvent(atom);
}

/** Reading state costs a way to the store: more than all that an event can be looked up by. */
const STATE_COST = 1e9;

function costInEvent(atom: Atom): number {
  if (atom.kind === "value") return typeof atom.value === "boolean" ? 500 : 1;
  if (atom.kind === "range") return 300;
  if (atom.kind === "pattern") return 400;
  return COST_BY_LENGTH[atom.text.length] ?? 1;
}

/** A text of one letter is nearly everywhere, one of eight hardly anywhere. */
const COST_BY_LENGTH = [1_000, 200, 60, 20, 8, 4, 3, 2] as const;
