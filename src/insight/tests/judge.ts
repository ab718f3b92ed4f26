import type { FailedRun, Happening, Sent } from "./course.ts";
import { type ExpectedFailedRun, type Expectation, type RuleTest, seconds } from "./rule-test.ts";

/** Expected and actual output of a test, side by side. */
export interface Comparison {
  readonly pairs: readonly {
    readonly expected?: Expectation;
    readonly actual?: Sent;
    /** Whether the output meets the expectation. False: they are unrelated and only share a row of the report. */
    readonly fits: boolean;
  }[];
  /** Other differences in words, such as a rule that ran although `expect_not_run` names it, or an open run. */
  readonly others: readonly Difference[];
}

type Pair = Comparison["pairs"][number];

/** A difference between the results of a test and its expectations, with the line in the test file. */
export interface Difference {
  /** Number of the line in the test file. */
  readonly line: number;
  readonly text: string;
}

/** Results of one test, to be compared with its expectations. */
export interface Evidence {
  readonly startAt: number;
  readonly sent: readonly Sent[];
  readonly happenings: readonly Happening[];
  readonly failedRuns: readonly FailedRun[];
  readonly openRuns: readonly {
    readonly owner: string;
    /** Step at which the run waits, and the steps at which its branches wait. */
    readonly waitingAt: readonly string[];
  }[];
}

/** Compares output, rules that did not run, and open runs with the test's expectations. Pure. */
export function judge(test: RuleTest, evidence: Evidence): Comparison {
  const { sent, startAt } = evidence;
  const fits = (expected: Expectation, actual: Sent): boolean => holds(expected, actual, startAt);
  const pairOf = pairUp(test.expect, sent, fits);
  const unmatched = sent.filter((_, index) => !pairOf.has(index));
  const sentFor = new Map([...pairOf].map(([index, of]) => [of, sent[index]]));
  const matched = test.expect.map((expected, index): Pair => {
    const actual = sentFor.get(index);
    if (actual !== undefined) return { expected, actual, fits: true };
    const near = unmatched.findIndex(({ word }) => word === expected.word);
    const [beside] = near < 0 ? [] : unmatched.splice(near, 1);
    return beside === undefined
      ? { expected, fits: false }
      : { expected, actual: beside, fits: false };
  });
  const unexpected = unmatched
    .filter(({ isAside }) => isAside !== true)
    .map((actual): Pair => ({ actual, fits: false }));
  const time = ({ actual, expected }: Pair): number =>
    actual === undefined ? (expected?.at ?? 0) : actual.at - startAt;
  return {
    pairs: [...matched, ...unexpected].sort((a, b) => time(a) - time(b)),
    others: [
      ...test.notRun.flatMap((one) => ranAfterAll(one, evidence)),
      ...(test.openRuns === undefined ? [] : openDifferences(test, evidence)),
      ...failureDifferences(test, evidence),
      ...evidence.happenings.flatMap((one) =>
        one.kind === "fault" ? [{ line: test.line, text: one.text }] : [],
      ),
    ],
  };
}

/** Returns whether a test has no differences. */
export function passes({ pairs, others }: Comparison): boolean {
  return pairs.every(({ fits }) => fits) && others.length === 0;
}

function holds({ at, owner, word, fields }: Expectation, actual: Sent, startAt: number): boolean {
  if (word !== actual.word || (owner !== undefined && owner !== actual.owner)) return false;
  if (at !== undefined && startAt + at !== actual.at) return false;
  return fields.every(({ name, holds: fits }) => fits(actual.fields[name], actual.evaluation));
}

/**
 * Returns a maximum matching, as indices in `expected` by index in `sent`. If an output is taken, the expectation that
 * took it moves to another output if it can.
 */
function pairUp<E extends object, A>(
  expected: readonly E[],
  sent: readonly A[],
  fits: (expected: E, actual: A) => boolean,
): ReadonlyMap<number, number> {
  const pairOf = new Map<number, number>();
  const find = (of: number, tried: Set<number>): boolean => {
    const one = expected[of];
    if (one === undefined) return false;
    for (const [index, actual] of sent.entries()) {
      if (tried.has(index) || !fits(one, actual)) continue;
      tried.add(index);
      const other = pairOf.get(index);
      if (other !== undefined && !find(other, tried)) continue;
      pairOf.set(index, of);
      return true;
    }
    return false;
  };
  for (const of of expected.keys()) find(of, new Set());
  return pairOf;
}

function ranAfterAll(
  { line, rule, at, because }: RuleTest["notRun"][number],
  { happenings, startAt }: Evidence,
): readonly Difference[] {
  const when = at === undefined ? "" : ` at ${seconds(at)}`;
  const events = happenings.filter(
    (one): one is Extract<Happening, { kind: "event" }> =>
      one.kind === "event" && (at === undefined || one.at === startAt + at),
  );
  const verdicts = events.flatMap((one) => one.verdicts.filter(({ ruleId }) => ruleId === rule));
  if (verdicts.some(({ outcome }) => outcome === "ran")) {
    return [{ line, text: `${rule} ran${when}, and was expected not to` }];
  }
  const notAsked = events.flatMap(({ notAsked: some, verdicts: own }) =>
    some?.rules.includes(rule) === true && !own.some(({ ruleId }) => ruleId === rule)
      ? [some.because]
      : [],
  );
  const reasons: readonly string[] = [...verdicts.map(({ reason }) => reason), ...notAsked];
  if (reasons.length === 0) {
    return [{ line, text: `${rule} was not asked${when}: no event there that it listens to` }];
  }
  if (because === undefined || reasons.includes(because)) return [];
  const text = `${rule} did not run${when}, because: ${[...new Set(reasons)].join(", ")}; expected: ${because}`;
  return [{ line, text }];
}

function openDifferences(test: RuleTest, { openRuns }: Evidence): readonly Difference[] {
  const unmatched = [...openRuns];
  const missing = (test.openRuns ?? []).filter(({ owner, waitingAt }) => {
    const index = unmatched.findIndex(
      (one) =>
        (owner === undefined || one.owner === owner) &&
        (waitingAt === undefined || one.waitingAt.includes(waitingAt)),
    );
    if (index >= 0) unmatched.splice(index, 1);
    return index < 0;
  });
  const { line } = test;
  return [
    ...missing.map(({ owner = "any rule or bot", waitingAt }) => ({
      line,
      text: `no run of ${nameOf(owner)} is open${waitingAt === undefined ? "" : ` and waits at ${waitingAt}`}`,
    })),
    ...unmatched.map(({ owner, waitingAt }) => ({
      line,
      text: `a run of ${nameOf(owner)} is still open: it waits at ${waitingAt.join(", ")}`,
    })),
  ];
}

/** Compares failed runs with the expected ones. A failure that the rule states itself need not be expected. */
function failureDifferences(
  { failedRuns, line }: RuleTest,
  { failedRuns: actual, startAt }: Evidence,
): readonly Difference[] {
  const pairOf = pairUp(failedRuns, actual, (expected, run) => fails(expected, run, startAt));
  const met = new Set(pairOf.values());
  const missing = failedRuns.filter((_, index) => !met.has(index));
  const unexpected = actual.filter((run, index) => !run.isHandled && !pairOf.has(index));
  return [
    ...missing.map((one) => ({
      line: one.line,
      text: `no run of ${nameOf(one.owner ?? "any rule or bot")} failed${one.at === undefined ? "" : ` at ${seconds(one.at)}`}${one.error === undefined ? "" : ` with the error ${one.error.wanted}`}`,
    })),
    ...unexpected.map(({ owner, error }) => ({
      line,
      text: `a run of ${nameOf(owner)} failed, and no entry of expect_failed_runs fits: ${error}`,
    })),
  ];
}

function fails({ at, owner, error }: ExpectedFailedRun, run: FailedRun, startAt: number): boolean {
  if (owner !== undefined && owner !== run.owner) return false;
  if (at !== undefined && startAt + at !== run.at) return false;
  return error === undefined || error.holds(run.error, run.evaluation);
}

/** Returns the name of a rule or bot: `hours` for `rule:hours`. */
function nameOf(owner: string): string {
  return owner.slice(owner.indexOf(":") + 1);
}
