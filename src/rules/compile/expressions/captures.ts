import type { CompiledCondition, ConditionCaptures } from "../../decide/evaluation.ts";

/** What all of `clauses` capture together, a later one counting before an earlier one. */
export function capturesOfAll(
  clauses: readonly CompiledCondition[],
): ConditionCaptures | undefined {
  const own = clauses.flatMap(({ captures }) => captures ?? []);
  if (own.length === 0) return undefined;
  return {
    names: own.flatMap(({ names }) => names),
    of: (evaluation, trigger) =>
      Object.assign({}, ...own.map((one) => one.of(evaluation, trigger))),
  };
}

/** What the first of `clauses` that holds captures; names of the others hold an empty text. */
export function capturesOfAny(
  clauses: readonly CompiledCondition[],
): ConditionCaptures | undefined {
  const names = clauses.flatMap(({ captures }) => captures?.names ?? []);
  if (names.length === 0) return undefined;
  const none = Object.fromEntries(names.map((name) => [name, ""]));
  return {
    names,
    of(evaluation, trigger) {
      const first = clauses.find((one) => one.test(evaluation, trigger) === undefined);
      return { ...none, ...first?.captures?.of(evaluation, trigger) };
    },
  };
}
