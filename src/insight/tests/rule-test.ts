import type { ActionResult } from "../../actions/action-result.ts";
import type { LimitSettings, OptOutSetting } from "../../config/settings.ts";
import type { OpeningHours } from "../../hours/opening-hours.ts";
import type { Person } from "../../events/event.ts";
import type { Evaluation } from "../../rules/evaluate.ts";
import type { HttpAnswer } from "../../rules/run/http-request.ts";
import type { LookupFailure } from "../../actions/lookup.ts";
import type { LookedUpKind } from "../../events/looked-up.ts";
import type { Json } from "../../protocol/json.ts";
import type { Doing } from "./test-file.ts";

/** A validated test file. Names are resolved, and paths are absolute. */
export interface RuleTestFile {
  /** Path of the test file, as the user entered it. */
  readonly file: string;
  readonly ruleFiles: readonly string[];
  readonly botFiles: readonly string[];
  /** Virtual time at which each test starts, in milliseconds since the epoch. */
  readonly startAt: number;
  readonly seed: number;
  readonly account: { readonly id: string; readonly username: string };
  /** Rate limits of the account's answers, such as `replies`. Answers above a limit are held back. */
  readonly limits: LimitSettings;
  /** Words by which people opt out. Absent: none. */
  readonly optOut?: OptOutSetting;
  /** Quiet hours: the bot answers, but does not start conversations. Absent: none. */
  readonly quietHours?: OpeningHours;
  readonly secrets: Readonly<Record<string, string>>;
  readonly people: ReadonlyMap<string, Person>;
  readonly tests: readonly RuleTest[];
}

/** A test with its events and expectations. Times are milliseconds from the start of the test. */
export interface RuleTest {
  readonly name: string;
  /** Seed for the random values in the test. Absent: the file's seed. */
  readonly seed?: number;
  readonly line: number;
  readonly events: readonly TestEvent[];
  /** Mocked responses of services. */
  readonly http: readonly HttpMock[];
  /** Responses of the platform to actions, as stated in the test. */
  readonly platform: readonly PlatformMock[];
  /** Mocked responses to look-ups. */
  readonly lookups: readonly LookupMock[];
  readonly expect: readonly Expectation[];
  readonly notRun: readonly {
    readonly line: number;
    readonly rule: string;
    readonly at?: number | undefined;
    readonly because?: string | undefined;
  }[];
  /** Runs that are expected to be open at the end of the test. Absent: any runs may be open. */
  readonly openRuns?: readonly ExpectedOpenRun[];
  readonly failedRuns: readonly ExpectedFailedRun[];
  readonly advanceTo?: number;
}

/** Event that a test causes: an action of a person, or a recorded delivery. `at` counts from the start of the test. */
export type TestEvent = { readonly at: number } & (
  | {
      readonly doing: Doing;
      /** Person who causes the event. Absent for the loss or restoration of the link to the platform. */
      readonly person?: Person;
    }
  /** A recorded webhook delivery, as the platform sent it. */
  | { readonly delivery: object }
);

/** A run that is expected to be open at the end of the test. */
export interface ExpectedOpenRun {
  /** Expected owner of the run: `rule:<id>` or `bot:<name>`. Absent: any rule or bot. */
  readonly owner?: string | undefined;
  readonly waitingAt?: string | undefined;
}

/** A run that is expected to fail. */
export interface ExpectedFailedRun {
  readonly line: number;
  readonly at?: number | undefined;
  /** Expected owner of the run: `rule:<id>` or `bot:<name>`. Absent: any rule or bot. */
  readonly owner?: string | undefined;
  /** Expected error of the run. Absent: any error. */
  readonly error?: ExpectedField | undefined;
}

/** Output of a rule or bot that a test expects. */
export interface Expectation {
  readonly line: number;
  readonly at?: number | undefined;
  /** Expected sender: `rule:<id>` or `bot:<name>`. */
  readonly owner?: string | undefined;
  /** Name of the verb, such as `reply_dm`. */
  readonly word: string;
  readonly fields: readonly ExpectedField[];
}

/** Expected value of one field of an output. */
export interface ExpectedField {
  readonly name: string;
  /** The expectation in words, for reports: `contains 9:00`. */
  readonly wanted: string;
  readonly holds: (actual: unknown, evaluation: Evaluation) => boolean;
}

/** Mocked response of a service to matching requests. */
export interface HttpMock {
  readonly match: readonly ExpectedField[];
  readonly respond: HttpAnswer | { readonly fails: "timeout" | "connection" };
  /** Number of uses, after which the next matching mock takes over. Absent: unlimited. */
  readonly times?: number | undefined;
}

/** Response of the platform to matching actions, as stated in the test. */
export interface PlatformMock {
  /** Name of the action's verb, such as `reply_dm`. */
  readonly word: string;
  readonly match: readonly ExpectedField[];
  /** Fields of the response that replace the default ones. */
  readonly respond: ActionResult;
  /** Number of uses, after which the next matching mock takes over. Absent: unlimited. */
  readonly times?: number | undefined;
}

/** Mocked response of the platform to a look-up. */
export type LookupMock = { readonly answer: Readonly<Record<string, Json>> | LookupFailure } & (
  | {
      readonly of: LookedUpKind;
      /** Id of the user or post, or handle of the user without `@`. */
      readonly name: string;
    }
  | { readonly of: "attribution"; readonly match: readonly ExpectedField[] }
);

/** Formats milliseconds as in test files: `2s`, `1500ms`, `10m`. */
export function seconds(ms: number): string {
  if (ms % 1_000 !== 0) return `${ms}ms`;
  if (ms % 3_600_000 === 0 && ms > 0) return `${ms / 3_600_000}h`;
  return ms % 60_000 === 0 && ms > 0 ? `${ms / 60_000}m` : `${ms / 1_000}s`;
}
