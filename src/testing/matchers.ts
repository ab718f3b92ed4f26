import type { BotDeed } from "./deeds.ts";

declare global {
  // vitest and jest have this namespace and its type parameters in common
  namespace jest {
    interface Matchers<R, T = {}> {
      /** Passes if any text contains `wanted` or matches it; without `wanted`, if there is any text. */
      toAnswer(wanted?: string | RegExp): R;
    }
  }
}

/** Result of a matcher in vitest and jest. */
interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * Matchers for `expect.extend`, in vitest and jest.
 *
 * @example
 * expect.extend(answerMatchers);
 * expect(await ana.says("hours?")).toAnswer(/nine/);
 * expect(await ana.says("psst")).not.toAnswer();
 */
export const answerMatchers = {
  /**
   * Passes if any text contains `wanted` or matches it; without `wanted`, if there is any text.
   *
   * @param received Texts of a person's method, or the result of `lab.replies()` or `lab.advance()`.
   * @throws {TypeError} if `received` is no list, such as a promise, or `wanted` is passed and is neither a pattern nor a
   * text with at least one character.
   */
  toAnswer(
    received: readonly (string | BotDeed)[],
    ...args: readonly [wanted?: string | RegExp]
  ): MatcherResult {
    const texts = textsOf(received);
    const [wanted] = args;
    if (args.length > 0) checkWanted(wanted);
    const pass = texts.some((text) =>
      typeof wanted === "string"
        ? text.includes(wanted)
        : wanted === undefined || new RegExp(wanted).test(text),
    );
    const what = wanted === undefined ? "an answer" : `an answer with ${String(wanted)}`;
    const said = texts.length === 0 ? "none" : texts.map((text) => JSON.stringify(text)).join(", ");
    return {
      pass,
      message: () => `expected ${pass ? "no" : ""} ${what}, got: ${said}`.replace("  ", " "),
    };
  },
};

function textsOf(received: readonly (string | BotDeed)[]): readonly string[] {
  if (!Array.isArray(received)) {
    const advice = "put await before the call, as in expect(await ana.says(…)).toAnswer()";
    const what = Object(received) instanceof Promise ? "a promise" : `a ${typeof received}`;
    throw new TypeError(`toAnswer takes a list of answers, got ${what}: ${advice}`);
  }
  return received.flatMap((one) => (typeof one === "string" ? one : (one.text ?? [])));
}

/** @throws {TypeError} if it would be found in every answer or in none. A pattern may come from another realm. */
function checkWanted(wanted: unknown): void {
  const isPattern = Object.prototype.toString.call(wanted) === "[object RegExp]";
  if (isPattern || (typeof wanted === "string" && wanted !== "")) return;
  const kind = wanted === null ? "null" : typeof wanted;
  const what = wanted === "" ? "an empty text" : kind;
  throw new TypeError(
    `toAnswer searches for a text or a pattern, got ${what}: write toAnswer() for any answer`,
  );
}
