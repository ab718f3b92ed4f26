import { basename } from "node:path";
import type { LoadedBot } from "../../bots/messages.ts";
import type { AccountEvent } from "../../events/event.ts";
import { Rehearsal, type RehearsedAnswer, entryOf } from "../rehearsal/rehearsal.ts";
import { keptRun, ruleOf, stepAt, waitsOf } from "../kept-run.ts";
import type { RuleSetting } from "../rehearsal/rule-setting.ts";
import type { HttpOutcome, HttpRequest } from "../../rules/run/http-request.ts";
import type { CompiledRule, Ruleset } from "../../rules/ruleset.ts";
import { ruleOrBotOf } from "../../runtime/records.ts";
import { wholeOf } from "../../runtime/runs.ts";
import type { EffectPerformer, Item, RunAndEntry, StoredRun } from "../../runtime/vocabulary.ts";
import { Course } from "./course.ts";
import { goThroughMoments } from "./scheduled-moments.ts";
import { eventOf, recordedEvents, type Scene } from "./event-of.ts";
import { answerOf, asHttp, asPlatform, requestFields, unmocked } from "./http-mocks.ts";
import { Mocks } from "./mocks.ts";
import { mockedAttribution, mockedLookup, unmockedLookup } from "./lookup-mocks.ts";
import { type Comparison, type Evidence, judge } from "./judge.ts";
import type { RuleTest, RuleTestFile, TestEvent } from "./rule-test.ts";

/** Rules, bots and modules for tests. */
export interface TestBench extends Pick<RuleSetting, "resolveModule"> {
  readonly ruleset: Ruleset;
  readonly bots: readonly LoadedBot[];
  /** Performs calls of modules and bots; the test's mocks answer requests to services. */
  readonly performer: Omit<EffectPerformer, "request" | "ask" | "lookUp">;
}

/** Comparison of one test's output with its expectations, and a record of what happened in the test. */
export interface TestOutcome {
  readonly test: RuleTest;
  readonly comparison: Comparison;
  readonly course: Pick<Course, "happenings" | "ran" | "failedRuns">;
}

/**
 * Steps that only wait for time to pass. A test advances through them, and through waits before a retry, without
 * `advance_to`.
 */
const TIME_ALONE: ReadonlySet<string> = new Set(["delay", "delay_until", "typing"]);

/** Runs one test from its first event to its end, in virtual time and without earlier state. */
export async function runTest(
  test: RuleTest,
  file: Omit<RuleTestFile, "file" | "ruleFiles" | "botFiles" | "tests">,
  bench: TestBench,
): Promise<TestOutcome> {
  const { account, limits, startAt, secrets } = file;
  const { seed = file.seed } = test;
  const events = new Map<string, AccountEvent>();
  const read = ({ key }: { readonly key: string }): AccountEvent => {
    const event = events.get(key);
    if (event === undefined) throw new Error(`no event ${key}`);
    return event;
  };
  const course = new Course(bench.ruleset, read, startAt);
  const services = new Mocks(test.http);
  const platform = new Mocks(test.platform);
  const request = async (call: HttpRequest): Promise<HttpOutcome> => {
    const evaluation = course.evaluationAt(rehearsal.now);
    const answer = evaluation && answerOf(services, call, evaluation);
    if (answer !== undefined) return answer;
    const error = unmocked(call);
    course.onFault(error);
    return { ok: false, code: "http-no-mock", error };
  };
  const ask: EffectPerformer["ask"] = async ({ run }, call) => {
    const at = rehearsal.now;
    const standIn = asHttp(call);
    if (call.method !== "GET") course.onAsked(run, requestFields(standIn), at);
    const evaluation = course.evaluationAt(at, run.seq);
    const answer = evaluation && answerOf(services, standIn, evaluation);
    if (answer !== undefined) return asPlatform(call, answer);
    const error = unmocked(standIn);
    course.onFault(error);
    return { ok: false, fault: { kind: "usage", message: error } };
  };
  const call: EffectPerformer["call"] = async (step, signal) => {
    const outcome = await bench.performer.call(step, signal);
    if (!outcome.ok && outcome.place !== undefined) {
      course.onThrown(`${basename(step.module)}#${step.export}`, outcome.place);
    }
    return outcome;
  };
  const answerTo = ({ action, seq }: Item): RehearsedAnswer => {
    const evaluation = course.evaluationAt(rehearsal.now, seq);
    const { type, ...written } = action;
    const fields: Readonly<Record<string, unknown>> = written;
    const mock = platform.take(
      ({ word, match }) =>
        evaluation !== undefined &&
        word === type &&
        match.every(({ name, holds }) => holds(fields[name], evaluation)),
    );
    return mock && { result: mock.respond };
  };
  const rehearsal = await Rehearsal.open({
    ...bench,
    answerTo,
    performer: { ...bench.performer, call, request, ask, lookUp: lookUpIn(test, file, course) },
    account,
    startAt,
    eventOf: read,
    limitsOf: () => limits,
    optOut: file.optOut,
    quietHoursOf: () => file.quietHours,
    secretsOf: (rule) => ({ ...standIns(rule), ...secrets }),
    watch: course,
  });
  try {
    const inTime = {
      ...bench,
      account,
      keep: (event: AccountEvent) => events.set(event.key, event),
    };
    const goTo = (time: number): Promise<void> => goThroughMoments(rehearsal, inTime, time);
    const inOrder = [...test.events].sort((a, b) => a.at - b.at);
    for (const [index, happens] of inOrder.entries()) {
      await goTo(startAt + happens.at);
      // BigInt, because a large seed would lose the last digits
      const id = String(BigInt(seed) * 10_000n + BigInt(index + 1));
      const scene = { account, people: file.people.values(), at: rehearsal.now, id };
      for (const event of eventsOf(happens, scene)) {
        events.set(event.key, event);
        await rehearsal.deliver(entryOf(event, rehearsal.now, "{}"));
      }
    }
    await goOn(test, rehearsal, { ruleset: bench.ruleset, startAt, goTo });
    const evidence: Evidence = {
      startAt,
      sent: course.sent,
      happenings: course.happenings,
      failedRuns: course.failedRuns,
      openRuns: await openRuns(rehearsal, bench),
    };
    return { test, comparison: judge(test, evidence), course };
  } finally {
    await rehearsal.close();
  }
}

/** Returns responses to look-ups, from the test's mocks and the people of its file. */
function lookUpIn(
  { lookups }: RuleTest,
  { people }: Pick<RuleTestFile, "people">,
  course: Course,
): NonNullable<EffectPerformer["lookUp"]> {
  return async ({ run, lookup }) => {
    const evaluation = course.evaluationAt(undefined, run.seq);
    const answer =
      lookup.of === "attribution"
        ? evaluation && mockedAttribution(lookup, lookups, evaluation)
        : mockedLookup(lookup, lookups, people.values());
    if (answer !== undefined) return answer;
    const error = unmockedLookup(lookup);
    course.onFault(error);
    return { ok: false, code: "lookup-failed", error };
  };
}

function eventsOf(happens: TestEvent, scene: Scene): readonly AccountEvent[] {
  if ("delivery" in happens) return recordedEvents(happens.delivery, scene);
  const { doing, person } = happens;
  return [eventOf(doing, person === undefined ? scene : { ...scene, person })];
}

/** Returns default values for secrets: each secret's own name. */
function standIns({ secrets }: CompiledRule): Readonly<Record<string, string>> {
  return Object.fromEntries(secrets.map(({ name }) => [name, name]));
}

/**
 * Advances to `advance_to`. Without it, advances to the last expected time, then through all waits that end by time
 * alone.
 */
async function goOn(
  { advanceTo, expect, notRun, failedRuns }: RuleTest,
  rehearsal: Rehearsal,
  {
    ruleset,
    startAt,
    goTo,
  }: Pick<TestBench, "ruleset"> & {
    readonly startAt: number;
    readonly goTo: (time: number) => Promise<void>;
  },
): Promise<void> {
  const times = [...expect, ...notRun, ...failedRuns].map(({ at }) => at ?? 0);
  await goTo(startAt + (advanceTo ?? Math.max(0, ...times)));
  if (advanceTo !== undefined) return;
  for (;;) {
    const open = await rehearsal.openRuns();
    const timers = open.flatMap(({ run, timer }) =>
      timer !== undefined && waitsForTime({ run }, ruleset) ? [timer.dueAt] : [],
    );
    const items = (await rehearsal.timedItems()).map(({ notBefore }) => notBefore);
    const next = Math.min(...timers, ...items);
    if (!Number.isFinite(next) || next <= rehearsal.now) return;
    await goTo(next);
  }
}

/** Whether the next thing that a run waits for is the end of a time. A bot's run may have several waits at once. */
function waitsForTime({ run }: Pick<RunAndEntry, "run">, ruleset: Ruleset): boolean {
  const id = ruleOf(run);
  if (id === undefined) {
    const [first] = waitsOf(run).toSorted((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity));
    return first?.kind === "sleep";
  }
  const rule = ruleset.byId.get(id);
  const state = rule && keptRun(run);
  const step = rule && state && stepAt(rule, state);
  if (step === undefined) return false;
  return TIME_ALONE.has(step.verb) || state?.attempts?.failed !== undefined;
}

async function openRuns(
  rehearsal: Rehearsal,
  { ruleset }: TestBench,
): Promise<Evidence["openRuns"]> {
  const whole = new Map<string, { readonly owner: string; readonly waitingAt: string[] }>();
  for (const { run } of await rehearsal.openRuns()) {
    const at = waitingAt(run, ruleset);
    if (at === undefined) continue;
    const openRun = whole.get(wholeOf(run.id));
    if (openRun === undefined)
      whole.set(wholeOf(run.id), { owner: ruleOrBotOf(run.owner), waitingAt: [at] });
    else openRun.waitingAt.push(at);
  }
  return [...whole.values()];
}

function waitingAt(run: StoredRun, ruleset: Ruleset): string | undefined {
  const id = ruleOf(run);
  if (id === undefined) return waitsOf(run)[0]?.name ?? run.status;
  const rule = ruleset.byId.get(id);
  if (rule === undefined) return undefined;
  const step = stepAt(rule, keptRun(run));
  return step?.id ?? step?.label ?? run.status;
}
