import type { LimitSettings, OptOutSetting } from "../../config/settings.ts";
import type { OpeningHours } from "../../hours/opening-hours.ts";
import type { Person } from "../../events/event.ts";
import type { Evaluation } from "../../rules/evaluate.ts";
import type { HttpAnswer } from "../../rules/run/http-request.ts";
import type { Doing } from "./test-file.ts";

/** A file of tests, read: every name in it is known, every path absolute. */
export interface RuleTestFile {
  /** As a person writes it. */
  readonly file: string;
  readonly ruleFiles: readonly string[];
  readonly botFiles: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startAt: number;
  readonly seed: number;
  readonly account: { readonly id: string; readonly username: string };
  /** Limits of the account's answers; answers above them are held back. */
  readonly limits: LimitSettings;
  /** Words by which people opt out. Absent: there are none. */
  readonly optOut?: OptOutSetting;
  /** Hours in which the bot does not speak first. */
  readonly quietHours?: OpeningHours;
  readonly secrets: Readonly<Record<string, string>>;
  readonly people: ReadonlyMap<string, Person>;
  readonly tests: readonly RuleTest[];
}

/** One test: what happens, and what is expected to follow. Times are milliseconds from the start. */
export interface RuleTest {
  readonly name: string;
  /** Seed of its draws; absent: that of the file. */
  readonly seed?: number;
  readonly line: number;
  readonly events: readonly TestEvent[];
  /** What services answer. */
  readonly http: readonly HttpMock[];
  readonly expect: readonly Expectation[];
  readonly notRun: readonly {
    readonly line: number;
    readonly rule: string;
    readonly at?: number | undefined;
    readonly because?: string | undefined;
  }[];
  /** Absent: any may be open. */
  readonly openRuns?: readonly ExpectedOpenRun[];
  readonly advanceTo?: number;
}

/** Event of a test. */
export type TestEvent = { readonly at: number } & (
  | {
      readonly doing: Doing;
      /** Person who causes the event. Absent for events of the link. */
      readonly person?: Person;
    }
  /** A delivery as the platform sent it. */
  | { readonly delivery: object }
);

/** A run that is to be open at the end. */
export interface ExpectedOpenRun {
  /** `rule:<id>` or `bot:<name>`; anybody's unless given. */
  readonly owner?: string | undefined;
  readonly waitingAt?: string | undefined;
}

/** Something that is expected to go out. */
export interface Expectation {
  readonly line: number;
  readonly at?: number | undefined;
  /** `rule:<id>` or `bot:<name>`. */
  readonly owner?: string | undefined;
  /** The verb: `reply_dm`. */
  readonly word: string;
  readonly fields: readonly ExpectedField[];
}

/** What is expected of one field of what goes out. */
export interface ExpectedField {
  readonly name: string;
  /** `contains 9:00`, for people. */
  readonly wanted: string;
  readonly holds: (actual: unknown, evaluation: Evaluation) => boolean;
}

/** What a service answers to requests like these. */
export interface HttpMock {
  readonly match: readonly ExpectedField[];
  readonly respond: HttpAnswer | { readonly fails: "timeout" | "connection" };
  /** It answers so often, then the next that fits does; always, where absent. */
  readonly times?: number | undefined;
}

/** Milliseconds as a test writes them: `2s`, `1500ms`, `10m`. */
export function seconds(ms: number): string {
  if (ms % 1_000 !== 0) return `${ms}ms`;
  if (ms % 3_600_000 === 0 && ms > 0) return `${ms / 3_600_000}h`;
  return ms % 60_000 === 0 && ms > 0 ? `${ms / 60_000}m` : `${ms / 1_000}s`;
}
