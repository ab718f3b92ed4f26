import type { Environment } from "@marcbachmann/cel-js";

type Operation = (left: number, right: number) => number;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
};

/**
 * Lets expressions reckon with whole numbers and decimals together, which CEL refuses: kept as JSON, 2.0 comes back
 * as 2, so which of the two a value is depends on what happened before.
 */
export function registerMixedNumbers(environment: Environment): void {
  for (const [sign, operate] of Object.entries(OPERATIONS)) {
    const mixed = (left: unknown, right: unknown): number => operate(Number(left), Number(right));
    environment.registerOperator(`int ${sign} double: double`, mixed);
    environment.registerOperator(`double ${sign} int: double`, mixed);
  }
  environment.registerOperator(
    "int == double",
    (left: unknown, right: unknown) => Number(left) === Number(right),
  );
}
