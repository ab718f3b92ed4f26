import { mergedNumbers, type NumberGroup } from "../../expression/patterns/number-groups.ts";
import type { CompiledCondition, ConditionCaptures } from "../../evaluation/evaluation.ts";

/** Names of captures, and the captures that hold a number. */
export type CaptureNames = Pick<ConditionCaptures, "names" | "numbers">;

/** Captures of a condition whose patterns have no named groups. */
export const NO_NAMES: CaptureNames = { names: [], numbers: new Map() };

/**
 * Merges the names of several captures. A name that occurs several times is a number only if it is a number each time.
 */
export function namesOf(all: readonly CaptureNames[]): CaptureNames {
  const names = [...new Set(all.flatMap((one) => one.names))];
  return { names, numbers: mergedNumbers(all, "all") };
}

/** Returns the captures that hold a number, by path, such as `captures.n`. */
export function numbersUnder(
  parent: string,
  { numbers }: CaptureNames,
): ReadonlyMap<string, NumberGroup> {
  return new Map([...numbers].map(([name, group]) => [`${parent}.${name}`, group]));
}

/** Merges the captures of all `clauses`. Of several captures with the same name, the last counts. */
export function capturesOfAll(
  clauses: readonly CompiledCondition[],
): ConditionCaptures | undefined {
  const own = clauses.flatMap(({ captures }) => captures ?? []);
  if (own.length === 0) return undefined;
  return {
    ...namesOf(own),
    of: (evaluation, trigger) =>
      Object.fromEntries(own.flatMap((one) => Object.entries(one.of(evaluation, trigger)))),
  };
}

/** Returns the captures of the first of `clauses` that holds. Names of other clauses hold an empty text. */
export function capturesOfAny(
  clauses: readonly CompiledCondition[],
): ConditionCaptures | undefined {
  const own = clauses.map(({ captures }) => captures ?? NO_NAMES);
  const names = own.flatMap((one) => one.names);
  if (names.length === 0) return undefined;
  const none = Object.fromEntries(names.map((name) => [name, ""]));
  return {
    names,
    numbers: mergedNumbers(own, "one"),
    of(evaluation, trigger) {
      const first = clauses.find((one) => one.test(evaluation, trigger) === undefined);
      return { ...none, ...first?.captures?.of(evaluation, trigger) };
    },
  };
}
