import type { Problem } from "../../../config/problem.ts";
import type { StateType, ValueKind } from "../../expression/value-types/state-types.ts";
import type { PlacedRule } from "./placed-rule.ts";

/** Reports state that one rule reads as a kind of value, such as a number, and other rules store as another kind. */
export function stateConflicts(rules: readonly PlacedRule[]): Problem[] {
  const storedTypes = new Map<string, StateType[]>();
  const all = rules.flatMap(({ rule }) => rule.stateTypes);
  for (const one of all) {
    if (one.does === "keeps")
      storedTypes.set(one.path, [...(storedTypes.get(one.path) ?? []), one]);
  }
  return all.flatMap((read) => {
    const others = (storedTypes.get(read.path) ?? []).filter(({ kind }) => kind !== read.kind);
    const [other] = others;
    if (read.does !== "reads" || other === undefined) return [];
    const isMixed = others.length < (storedTypes.get(read.path)?.length ?? 0);
    return [conflict(read, other, isMixed)];
  });
}

function conflict(read: StateType, storedType: StateType, isMixed: boolean): Problem {
  const { path, at, kind } = read;
  const place = `${storedType.at.file}:${storedType.at.line}`;
  return {
    ...at,
    severity: isMixed ? "warning" : "error",
    code: "state-type",
    message: `${path} is read as ${named(kind)} here, and ${place} stores ${named(storedType.kind)} there`,
    help: helpFor(read, storedType),
  };
}

function helpFor({ path, kind }: StateType, { kind: keptKind, written = "" }: StateType): string {
  const expression = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(written)?.[1]?.trim();
  const digits = /^\s*(-?\d+(?:\.\d+)?)\s*$/.exec(written)?.[1];
  if (kind === "number" && keptKind === "text") {
    if (expression !== undefined) {
      return `store a number:  set: {${path}: "\${{ number(${expression}) }}"}`;
    }
    if (digits !== undefined) return `store a number:  set: {${path}: ${digits}}`;
  }
  if (kind === "text" && keptKind === "number") {
    return `read it as a number:  ${path}.orValue(0)`;
  }
  return `store ${named(kind)}, or read ${named(keptKind)}, or use different names`;
}

function named(kind: ValueKind): string {
  return kind === "true or false" ? kind : `a ${kind}`;
}
