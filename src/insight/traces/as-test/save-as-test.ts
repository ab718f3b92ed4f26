import { dirname, relative } from "node:path";
import { stringify } from "yaml";
import { UsageError } from "../../../errors.ts";
import type { Person } from "../../../events/event.ts";
import { counterpartOf } from "../../../events/kinds/kinds.ts";
import { homeOf, type Ruleset } from "../../../rules/ruleset.ts";
import { passes } from "../../tests/judge.ts";
import { readTests } from "../../tests/read-tests.ts";
import { runTest, type TestOutcome } from "../../tests/run-test.ts";
import { ruleOrBotOf } from "../../../runtime/records.ts";
import { durationInWords } from "../../../system/duration.ts";
import { type LaneScene, sceneInLane } from "./lane-scenes.ts";
import type { TraceNeeds } from "../needs.ts";
import { type WrittenEvent, userKey, writtenEvents, writtenPerson } from "./test-event.ts";
import type { Trace } from "../trace.ts";
import { refuseUnrepeatable } from "./unrepeatable.ts";

/** Path and name of the test to create. */
export interface SaveOptions {
  /**
   * Path of the test file, such as `tests/hours.test.yaml`, relative to the folder from which the rule files' paths
   * start.
   */
  readonly path: string;
  /** Name of the test. Default: the text of the message. */
  readonly name?: string;
}

/** A passing test that reproduces an event. */
export interface SavedTest {
  /** Text of the whole test file. */
  readonly text: string;
  readonly name: string;
  /** Number of events in the test, including earlier events on which the reproduced event depends. */
  readonly events: number;
  /** Whether the texts of answers are left out, because they are random or contain the time or an id. */
  readonly anyText: boolean;
}

/** Numbers of earlier events of the conversation to include. They are tried in this order until the test passes. */
const REACHES = [0, 1, 5, 25];
/** Indices of the triggers under which to write a post. A post can have three triggers; a test states one. */
const WAYS = [0, 1, 2];

/**
 * Returns a rule test that reproduces an event and expects its answers. The test has been run and passes.
 *
 * @throws {UsageError} when no test can reproduce the event, with the reason.
 */
export async function saveAsTest(
  needs: TraceNeeds,
  trace: Trace,
  options: SaveOptions,
): Promise<SavedTest> {
  const { seq } = trace.event;
  const { before, own } = await sceneInLane(needs, trace);
  refuseUnrepeatable(trace, own, needs.ruleset());
  let last: TestOutcome | undefined;
  for (const anyText of [false, true]) {
    for (const way of WAYS) {
      for (const reach of REACHES) {
        const scenes = [...(reach === 0 ? [] : before.slice(-reach)), ...own];
        for (const advances of [false, true]) {
          const writing = { trace, needs, options, way, anyText, advances };
          const repeated = await writtenAndTried(scenes, writing);
          if (repeated === undefined) continue;
          const { file, outcome } = repeated;
          if (passes(outcome.comparison)) return { ...file, events: scenes.length, anyText };
          last ??= outcome;
        }
        if (before.length <= reach) break;
      }
    }
  }
  throw new UsageError(
    `no test can repeat event ${seq}: ${last === undefined ? "a test can't have such an event" : differenceIn(last)}`,
    {
      hint: "it rests on something that is older, on what the platform said, or on rules that have changed since",
    },
  );
}

interface Writing {
  readonly trace: Trace;
  readonly needs: TraceNeeds;
  readonly options: SaveOptions;
  /** Index of the trigger to write, for events with several triggers. */
  readonly way: number;
  readonly anyText: boolean;
  /** Whether the test ends at the time of the last answer, such as an answer after the time of a question has passed. */
  readonly advances: boolean;
  /** Owners of the runs that fail in the test as they failed before, one entry for each run. */
  readonly failing?: readonly string[];
}

/** Writes the test and runs it. If runs fail in it that failed before, too, writes it again and expects them to fail. */
async function writtenAndTried(
  scenes: readonly LaneScene[],
  writing: Writing,
): Promise<{ readonly file: WrittenFile; readonly outcome: TestOutcome } | undefined> {
  const { options, needs } = writing;
  const file = written(scenes, writing);
  if (file === undefined) return undefined;
  const outcome = await tried(file.text, options.path, needs.ruleset());
  const failedBefore = new Set(
    scenes.flatMap(({ row }) =>
      row.runs.flatMap(({ owner, status }) => (status === "failed" ? [ruleOrBotOf(owner)] : [])),
    ),
  );
  const failing = outcome.course.failedRuns
    .filter(({ owner, isHandled }) => !isHandled && failedBefore.has(owner))
    .map(({ owner }) => owner);
  if (failing.length === 0 || writing.failing !== undefined) return { file, outcome };
  return writtenAndTried(scenes, { ...writing, failing });
}

type WrittenFile = Pick<SavedTest, "text" | "name">;

/**
 * Returns the text of the test file; undefined if no event has a trigger with the index `way`, except 0, or if no
 * answer came later than the events.
 */
function written(
  scenes: readonly LaneScene[],
  { trace, needs, options, way, anyText, advances, failing = [] }: Writing,
): WrittenFile | undefined {
  const people = new Map<string, Person>();
  for (const { event } of scenes) if ("sender" in event) people.set(event.sender.id, event.sender);
  const nameOf = (id: string | undefined): string => {
    const person = people.get(id ?? "");
    return person === undefined ? "" : userKey(person);
  };
  const ways = scenes.map(({ event }) => writtenEvents(event, nameOf(counterpartOf(event))));
  if (way > 0 && ways.every((all) => all.length <= way)) return undefined;
  const startAt = Math.floor((scenes[0]?.decision.context.now ?? 0) / 1_000) * 1_000;
  const times = timesOf(scenes, startAt);
  const timeOf = (scene: LaneScene): string => inTest(times.get(scene) ?? 0);
  const end = lastAnswerAt(scenes);
  if (advances && end <= (scenes.at(-1)?.decision.context.now ?? end)) return undefined;
  const events = scenes.flatMap((scene, index) => {
    const all: readonly WrittenEvent[] = ways[index] ?? [];
    const one = all[way] ?? all[0];
    return one === undefined ? [] : [{ at: timeOf(scene), [one.trigger]: one.doing }];
  });
  const expect = scenes.flatMap((scene) => expectationsOf(scene, nameOf, anyText));
  const traced = scenes.find(({ row }) => row.seq === trace.event.seq);
  const notRun = traced === undefined ? [] : silentRules(trace, timeOf(traced));
  const name = options.name ?? nameFor(trace);
  const test = {
    name,
    events,
    expect,
    ...(notRun.length > 0 && { expect_not_run: notRun }),
    ...(failing.length > 0 && {
      expect_failed_runs: failing.map((owner) => ({ rule: owner.slice("rule:".length) })),
    }),
    ...(advances && { advance_to: inTest(Math.max(...times.values(), end - startAt + 999)) }),
  };
  const { id, username = "bot" } = trace.event.account;
  const file = {
    version: 1,
    rule_files: ruleFiles(needs.ruleset(), options.path),
    start_time: new Date(startAt).toISOString(),
    account: { id, username },
    users: Object.fromEntries(
      [...people.values()].map((one) => [userKey(one), writtenPerson(one)]),
    ),
    tests: [test],
  };
  const head = `# Made of event ${trace.event.seq}: what it was answered is expected.\n`;
  const note = anyText ? "# Texts are left out: they are others each time.\n" : "";
  return { name, text: `${head}${note}${stringify(file, { lineWidth: 100 })}` };
}

/**
 * Returns the time of each event, in milliseconds since the start of the test. Events of the same second get successive
 * seconds, because `expect_not_run` names an event by its time.
 */
function timesOf(scenes: readonly LaneScene[], startAt: number): ReadonlyMap<LaneScene, number> {
  let next = 0;
  return new Map(
    scenes.map((scene) => {
      const time = Math.max(next, scene.decision.context.now - startAt);
      next = (Math.floor(time / 1_000) + 1) * 1_000;
      return [scene, time];
    }),
  );
}

/** Formats a time since the start of the test, in whole seconds. */
function inTest(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return seconds <= 0 ? "0s" : durationInWords(seconds * 1_000);
}

/** Returns the time of the last answer or hand-over of the events; `-Infinity` if there is none. */
function lastAnswerAt(scenes: readonly LaneScene[]): number {
  const times = scenes.flatMap(({ items, escalations }) => [
    ...items.map(({ startedAt, settledAt }) => startedAt ?? settledAt ?? -Infinity),
    ...escalations.map(({ at }) => at),
  ]);
  return Math.max(-Infinity, ...times);
}

function nameFor({ event, outcome }: Trace): string {
  const said = event.text === undefined ? event.inWords : JSON.stringify(event.text.slice(0, 60));
  return `${said}: ${outcome.word}`;
}

function ruleFiles({ rules }: Ruleset, path: string): readonly string[] {
  return [...new Set(rules.map(homeOf))].map((file) =>
    relative(dirname(path), file).replaceAll("\\", "/"),
  );
}

function expectationsOf(
  { items, escalations }: LaneScene,
  nameOf: (id: string) => string,
  anyText: boolean,
): readonly object[] {
  const sent = items.map(({ run, action }) => {
    const to = nameOf(action.to);
    const text = "text" in action && !anyText ? { text: action.text } : {};
    return { rule: ruleIn(run), [action.type]: { ...(to !== "" && { to }), ...text } };
  });
  const handOvers = escalations.map(({ run, queue, priority, note }) => ({
    rule: ruleIn(run),
    escalate: { queue, priority, ...(note !== undefined && !anyText && { note }) },
  }));
  return [...sent, ...handOvers];
}

/** Returns the rule's id from a run's id: `hours` from `12/rule:hours#…`. */
function ruleIn(run: string): string {
  return /\/rule:([^#]*)/.exec(run)?.[1] ?? "";
}

/** Maximum number of rules in a test's `expect_not_run`: further rules are too far from matching to be informative. */
const MAX_SILENT = 3;

/**
 * Returns the rules that came closest to running for an event, with the reasons why they did not run. Empty if a rule
 * ran.
 */
function silentRules({ verdicts, runs, decision }: Trace, at: string): readonly object[] {
  if (runs.length > 0 || decision.takenBy !== undefined || decision.rulesChanged) return [];
  return verdicts
    .filter(({ outcome }) => outcome !== "ran")
    .toSorted((a, b) => nearness(a) - nearness(b))
    .slice(0, MAX_SILENT)
    .map(({ ruleId: rule, reason: because }) => ({ at, rule, because }));
}

/** Returns the sort key of a rule that did not run: blocked but matching rules come first, disabled rules last. */
function nearness({ outcome, clause }: Trace["verdicts"][number]): number {
  if (outcome === "no") return 1;
  return clause === undefined || clause.path === "group" ? 2 : 0;
}

async function tried(text: string, path: string, ruleset: Ruleset): Promise<TestOutcome> {
  const { file, problems } = readTests(text, path, "/");
  const [test] = file?.tests ?? [];
  if (file === undefined || test === undefined) {
    throw new UsageError(`the event can't be written as a test: ${problems[0]?.message ?? ""}`);
  }
  return runTest(test, file, {
    ruleset,
    bots: [],
    resolveModule: (_file, module) => module,
    performer: {
      handle: () => Promise.reject(new Error("no bot is called")),
      call: async () => ({ ok: false, error: "no module is called" }),
    },
  });
}

/** Describes the first difference between a test's results and its expectations. */
function differenceIn({ comparison: { pairs, others } }: TestOutcome): string {
  const [other] = others;
  if (other !== undefined) return other.text;
  const wrong = pairs.find(({ fits }) => !fits);
  if (wrong?.expected === undefined) {
    return `the rules now also give ${wrong?.actual?.word ?? "something"} by ${wrong?.actual?.owner ?? ""}`;
  }
  const wanted = wrong.expected.fields.map(({ name, wanted: one }) => `${name} ${one}`).join(", ");
  return `${wrong.expected.word} with ${wanted} does not come again`;
}
