/** Outcome of a matcher, as vitest and jest take it. */
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
  /** One of the texts has `wanted` in it, or matches it; without `wanted`: there is one at all. */
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
