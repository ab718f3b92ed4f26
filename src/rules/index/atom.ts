import type { FieldType } from "../../events/fields.ts";
import type { StateUse } from "../schema/state-keys.ts";

/**
 * Form of a text in a search: `folded` as conditions compare it, `exact` as received, `pattern` as patterns match it,
 * `alike` by how its letters look.
 */
export type TextForm = "folded" | "exact" | "pattern" | "alike";

/** Method to search a text: for words in one form of the text, or for patterns, ignoring case unless `cased`. */
export type TextSearch = TextForm | "patterns" | "patterns cased";

/**
 * Path of a field of the event, or user state with the type that it is read as. `presence`: whether a value is stored,
 * see `Evaluation.presence`.
 */
export type IndexedField =
  | string
  | { readonly use: StateUse; readonly type: FieldType | "presence" };

/** Returns whether an atom is about user state. */
export function asksState({ field }: Atom): boolean {
  return typeof field === "object";
}

/** Elementary test of an event that an index evaluates for all rules at once. */
export type Atom =
  /** The text of a field contains `text`. `bounded`: neither end of the match is between two ASCII letters or digits. */
  | {
      readonly kind: "text";
      readonly field: IndexedField;
      readonly form: TextForm;
      readonly text: string;
      readonly bounded: boolean;
    }
  /** A field equals this value, or its list contains the value. */
  | {
      readonly kind: "value";
      readonly field: IndexedField;
      readonly form: TextForm;
      readonly value: string | number | boolean;
    }
  /** The text of a field matches an RE2 pattern. Unless `cased`, the pattern is for tidied text. */
  | {
      readonly kind: "pattern";
      readonly field: IndexedField;
      readonly source: string;
      readonly cased: boolean;
    }
  /** A number is within these bounds, both included. For a time, the number is its age in milliseconds. */
  | {
      readonly kind: "range";
      readonly field: IndexedField;
      readonly from: number;
      readonly to: number;
    };

/**
 * Atoms of which at least one must hold for the event; `undefined` if any event may satisfy the condition.
 *
 * A need may hold although the rule does not match. It never fails for a rule that matches.
 */
export type Need = readonly Atom[] | undefined;

/** Returns atoms: the field contains one of `texts`. `undefined` if one of `texts` is empty: every text contains it. */
export function substrings(
  field: IndexedField,
  form: TextForm,
  texts: readonly string[],
  bounded = false,
): Need {
  if (texts.includes("")) return undefined;
  return texts.map((text): Atom => ({ kind: "text", field, form, text, bounded }));
}

/** Returns atoms: the field has one of the values `all`. */
export function values(
  field: IndexedField,
  form: TextForm,
  all: readonly (string | number | boolean)[],
): Need {
  return all.map((value): Atom => ({ kind: "value", field, form, value }));
}

/** Joins the atoms of alternatives, of which one must hold; `undefined` if any event may satisfy one of them. */
export function anyOf(needs: readonly Need[]): Need {
  const atoms: Atom[] = [];
  for (const need of needs) {
    if (need === undefined) return undefined;
    atoms.push(...need);
  }
  return atoms;
}

/** Chooses, of several needs that must all hold, the need whose atoms fewest events satisfy. */
export function bestOf(needs: readonly Need[]): Need {
  let best: Need;
  for (const need of needs) {
    if (need !== undefined && (best === undefined || costOf(need) < costOf(best))) best = need;
  }
  return best;
}

/** Estimates how many events satisfy one of the atoms, as a relative cost. */
function costOf(need: readonly Atom[]): number {
  return need.reduce((sum, atom) => sum + costOfAtom(atom), 0);
}

function costOfAtom(atom: Atom): number {
  return asksState(atom) ? STATE_COST + costInEvent(atom) : costInEvent(atom);
}

/** Cost of reading user state from the store. It exceeds the cost of all atoms about the event together. */
const STATE_COST = 1e9;

function costInEvent(atom: Atom): number {
  if (atom.kind === "value") {
    // a value that rules ask for is stored for many people
    if (typeof atom.field === "object" && atom.field.type === "presence") return 600;
    return typeof atom.value === "boolean" ? 500 : 1;
  }
  if (atom.kind === "range") return 300;
  if (atom.kind === "pattern") return 400;
  return COST_BY_LENGTH[atom.text.length] ?? 1;
}

/** Cost of a text by its length: one letter is in nearly every message, eight letters are in hardly any. */
const COST_BY_LENGTH = [1_000, 200, 60, 20, 8, 4, 3, 2] as const;
