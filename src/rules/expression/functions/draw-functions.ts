import { drawn } from "../fingerprint.ts";
import { example } from "../../example.ts";
import type { CallableFunction } from "./expression-function.ts";

/** Seed of the current expression's draws, and their number so far. */
let current = { name: "", draws: 0 };

/** Evaluates an expression with the seed `name` for its draws: the same name gives the same draws. */
export function drawingAs<T>(name: string, evaluate: () => T): T {
  const outer = current;
  current = { name, draws: 0 };
  try {
    return evaluate();
  } finally {
    current = outer;
  }
}

/** Functions with random results. */
export const DRAW_FUNCTIONS: readonly CallableFunction[] = [
  {
    signature: "random(int, int): int",
    description:
      "A random whole number from the first to the second, inclusive. A run keeps its number, even after a restart.",
    call: (least: bigint, most: bigint) => integerBetween(least, most),
    example: example`
      actions:
        - reply_dm: You rolled a \${{ random(1, 6) }}.
    `,
  },
  {
    signature: "chance(double): bool",
    description: "True with this probability: chance(0.3) in 3 of 10. A run keeps the result.",
    call: (share: number) => happens(share),
    example: example`
      conditions:
        - if: chance(0.3)
    `,
  },
];

/** Overloads of {@link DRAW_FUNCTIONS} for other types of numbers. The reference omits them. */
export const DRAW_OVERLOADS: readonly Pick<CallableFunction, "signature" | "call">[] = [
  { signature: "chance(int): bool", call: (share: bigint) => happens(Number(share)) },
];

/** Names of the functions with random results. */
export const DRAWING: ReadonlySet<string> = new Set(["random", "chance"]);

function nextDraw(): number {
  const { name, draws } = current;
  current = { name, draws: draws + 1 };
  return drawn(`${name}/${draws}`);
}

/** Maximum number of different results of one draw. With more, some results would never be drawn. */
const MAX_SPAN = 2n ** 53n;

function integerBetween(least: bigint, most: bigint): bigint {
  const span = most - least + 1n;
  if (span < 1n) throw new Error(`random(${least}, ${most}): the minimum is above the maximum`);
  if (span > MAX_SPAN) throw new Error(`random(${least}, ${most}): the two are too far apart`);
  return least + BigInt(Math.floor(nextDraw() * Number(span)));
}

function happens(share: number): boolean {
  if (!(share >= 0 && share <= 1)) {
    throw new Error(`chance(${share}): a probability between 0 and 1 is required`);
  }
  return nextDraw() < share;
}
