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
  /** Passes if any text contains `wanted` or matches it; without `wanted`, if there is any text. */
  toAnswer(received: readonly string[], wanted?: string | RegExp): MatcherResult {
    const pass = received.some((text) =>
      wanted === undefined
        ? true
        : typeof wanted === "string"
          ? text.includes(wanted)
          : new RegExp(wanted).test(text),
    );
    const what = wanted === undefined ? "an answer" : `an answer with ${String(wanted)}`;
    const said =
      received.length === 0 ? "none" : received.map((text) => JSON.stringify(text)).join(", ");
    return {
      pass,
      message: () => `expected ${pass ? "no" : ""} ${what}, got: ${said}`.replace("  ", " "),
    };
  },
};
