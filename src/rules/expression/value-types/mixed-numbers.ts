import type { Environment } from "@marcbachmann/cel-js";

type Operation = (left: number, right: number) => number;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
};

/**
 * Allows arithmetic with a mix of whole numbers and decimals, which CEL rejects. After storage as JSON, 2.0 is read as 2, so
 * the type of a number depends on its history.
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
