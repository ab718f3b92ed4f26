import type { Asked, AskedTest, FieldAsked } from "../evaluation/asked.ts";
import { plainLetters } from "../expression/patterns/plain-letters.ts";
import { fold } from "../../text/fold.ts";
import { ALIKE, AS_IT_CAME, FOLDED } from "../lists/list-form.ts";
import type { ValuePresence } from "../evaluation/evaluation.ts";
import type { RuleList } from "../lists/rule-list.ts";
import {
  anyOf,
  bestOf,
  type IndexedField,
  type Need,
  substrings,
  type TextForm,
  values,
} from "./atom.ts";
import { needOfExpression } from "./expression-needs.ts";
import { literalsOf } from "./pattern-literals.ts";
import type { StateUse } from "../schema/state-keys.ts";

/**
 * Returns the atoms of which an event must satisfy at least one for the condition to hold.
 *
 * @param uses User state that the condition reads.
 */
export function needOf(requirement: Asked, uses: readonly StateUse[]): Need {
  switch (requirement.kind) {
    case "all":
      return bestOf(requirement.of.map((one) => needOf(one, uses)));
    case "any":
      return anyOf(requirement.of.map((one) => needOf(one, uses)));
    case "not":
      return undefined;
    case "field":
      return bestOf(requirement.tests.map((test) => needOfTest(requirement, test)));
    case "expression":
      return needOfExpression(requirement.ast, uses);
  }
}

/** Every operator except `exists` needs a value, so a test of user state holds only for people with a stored value. */
function needOfTest(fieldCondition: FieldAsked, test: AskedTest): Need {
  if (test.operator === "exists") return needOfExistence(fieldCondition, test.operands);
  return needOfValue(fieldCondition, test) ?? needOfExistence(fieldCondition, [true]);
}

function needOfValue(
  fieldCondition: FieldAsked,
  { operator, cased, operands, test }: AskedTest,
): Need {
  const { type, use } = fieldCondition;
  const field: IndexedField = use === undefined ? fieldCondition.field : { use, type };
  const form: TextForm = cased ? "exact" : "folded";
  if (type === "number" || type === "time")
    return needOfNumber(field, type, { operator, operands });
  if (type === "boolean") return operator === "equals" ? values(field, form, operands) : undefined;
  const texts = operands.map(String);
  const isList = type === "list of texts";
  switch (operator) {
    case "equals":
    case "in":
      return values(field, form, texts);
    case "in_list":
      return anyOf((test.lists ?? []).map((list) => needOfList(field, isList, list)));
    case "contains":
    case "contains_any":
      return isList ? values(field, form, texts) : substrings(field, form, texts);
    case "contains_all":
      return bestOf(
        texts.map((one) => (isList ? values(field, form, [one]) : substrings(field, form, [one]))),
      );
    case "contains_word":
      return substrings(field, form, texts, true);
    case "starts_with":
    case "ends_with":
      return substrings(field, form, texts);
    case "matches":
      return anyOf(texts.map((source) => needOfPattern(field, source, cased)));
    default:
      return undefined;
  }
}

function needOfExistence({ use, type }: FieldAsked, [wanted]: AskedTest["operands"]): Need {
  // A stored text that is no time counts as absent for a field of the type time.
  if (use === undefined || (type === "time" && wanted === false)) return undefined;
  const presences: readonly ValuePresence[] =
    wanted === true ? ["readable"] : ["absent", "unreadable"];
  return values({ use, type: "presence" }, "exact", presences);
}

/** Forms in which the index searches a text, by the form of a list's entries. Other forms are not indexed. */
const LIST_FORMS: ReadonlyMap<string, TextForm> = new Map([
  [AS_IT_CAME.name, "exact"],
  [FOLDED.name, "folded"],
  [ALIKE.name, "alike"],
]);

function needOfList(field: IndexedField, isList: boolean, { match, written }: RuleList): Need {
  return anyOf(
    written.map(({ form: { name }, entries }) => {
      const form = LIST_FORMS.get(name);
      if (form === undefined) return undefined;
      if (match === "exact" || match === undefined) return values(field, form, entries);
      // for a field with several texts, the index finds only whole texts, not parts of them
      return isList ? undefined : substrings(field, form, entries, match === "word");
    }),
  );
}

function needOfNumber(
  field: IndexedField,
  type: FieldAsked["type"],
  { operator, operands }: Pick<AskedTest, "operator" | "operands">,
): Need {
  const [first] = operands;
  if (type === "time" || typeof first !== "number") return undefined;
  const range = (from: number, to: number): Need => [{ kind: "range", field, from, to }];
  switch (operator) {
    case "equals":
    case "in":
      return values(field, "exact", operands);
    case "gt":
    case "gte":
      return range(first, Infinity);
    case "lt":
    case "lte":
      return range(-Infinity, first);
    default:
      return undefined;
  }
}

/**
 * Returns the atoms for a pattern: literals of which each match contains one, or the pattern itself if no literal is
 * certain. A pattern that ignores case matches in tidied text, and its literals are also in the folded text.
 */
function needOfPattern(field: IndexedField, source: string, cased: boolean): Need {
  const literals = literalsOf(cased ? source : plainLetters(source));
  const isSearched = cased || literals?.some((one) => FOLDED_WITH_NEIGHBOUR.test(one)) === false;
  if (literals === undefined || !isSearched) return [{ kind: "pattern", field, source, cased }];
  return cased
    ? substrings(field, "pattern", literals)
    : substrings(field, "folded", literals.map(fold));
}

/**
 * Literals that folded text may contain in another form: skin tones, which folding drops, and marks without the letter
 * before them. Folding drops such a mark or joins it to the letter: the frame of a keycap after a digit, for example.
 */
const FOLDED_WITH_NEIGHBOUR = /^\p{M}|\p{Emoji_Modifier}/u;
