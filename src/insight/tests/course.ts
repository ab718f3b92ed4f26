import type { ActionOf } from "../../actions/actions.ts";
import type { Json } from "../../protocol/json.ts";
import { durationInWords } from "../../system/duration.ts";
import type { AccountEvent } from "../../events/event.ts";
import { counterpartOf } from "../../events/kinds/kinds.ts";
import { explain, type Verdict } from "../../rules/decide.ts";
import { Evaluation } from "../../rules/evaluate.ts";
import type { Step } from "../../rules/run.ts";
import type { CompiledRule, Ruleset } from "../../rules/ruleset.ts";
import { decidedConditions } from "../words/decided-conditions.ts";
import { type KeptRun, keptRun, ruleOf, stepAt, waitsOf } from "../kept-run.ts";
import type { RehearsedAnswer, RehearsalWatch, Seen } from "../rehearsal/rehearsal.ts";
import { ruleOrBotOf, runIdParts } from "../../runtime/records.ts";
import { notStarted } from "../words/not-started.ts";
import { interruptsOf, PASSED_OVER } from "../../runtime/runs.ts";
import type {
  Interpretation,
  Item,
  LaneEvent,
  ReadEntry,
  RunWrite,
} from "../../runtime/vocabulary.ts";
import { requestFields } from "./http-mocks.ts";
import { lookupFields } from "./lookup-mocks.ts";
import { seconds } from "./rule-test.ts";

/** Something that happened in a test. `at`: milliseconds since the epoch. */
export type Happening = { readonly at: number } & (
  | {
      readonly kind: "event";
      readonly event: AccountEvent;
      readonly verdicts: readonly Verdict[];
      /** Reason why no rule was evaluated: the message opts out, for example. */ readonly reason?: string;
      /** Rules that listen to the event and were not evaluated, and the reason for `because`. */
      readonly notAsked?: { readonly rules: readonly string[]; readonly because: string };
    }
  | { readonly kind: "step"; readonly owner: string; readonly text: string }
  | { readonly kind: "sent"; readonly sent: Sent }
  | { readonly kind: "fault"; readonly text: string }
);

/** Output of a rule or bot in a test. */
export interface Sent {
  readonly at: number;
  /** Sender of the output: `rule:<id>` or `bot:<name>`. */
  readonly owner: string;
  /** Name of the verb, such as `reply_dm`. */
  readonly word: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly answer: RehearsedAnswer;
  readonly evaluation: Evaluation;
  /**
   * Whether the output may be missing in the test's expectations. This holds for look-ups and typing pauses, which send
   * nothing.
   */
  readonly isAside?: true;
}

/** A run that failed in a test. `at`: milliseconds since the epoch. */
export interface FailedRun {
  readonly at: number;
  /** Owner of the run: `rule:<id>` or `bot:<name>`. */
  readonly owner: string;
  /** Error of the run, without the place where it was thrown. */
  readonly error: string;
  /** Whether the rule states the failure itself: the `on_error` of the rule ran to its end, or a step `stop` fails. */
  readonly isHandled: boolean;
  readonly evaluation: Evaluation;
}

/** Labels of the steps that ran, by rule id. */
export type StepsRun = Map<string, Set<string>>;

/** Records what happens in one test. */
export class Course implements RehearsalWatch {
  readonly happenings: Happening[] = [];
  readonly sent: Sent[] = [];
  readonly failedRuns: FailedRun[] = [];
  /** Labels of the executed steps, by rule id. Rules that did not run are absent. */
  readonly ran: StepsRun = new Map();
  readonly #ruleset: Ruleset;
  readonly #eventOf: ReadEntry;
  readonly #reported = new Map<string, Set<string>>();
  readonly #events = new Map<number, AccountEvent>();
  #now: number;

  constructor(ruleset: Ruleset, eventOf: ReadEntry, startAt: number) {
    this.#ruleset = ruleset;
    this.#eventOf = eventOf;
    this.#now = startAt;
  }

  onTakenIn(happened: LaneEvent, followed: Interpretation, { at, state }: Seen): void {
    this.#now = at;
    if (happened.kind === "event") {
      const event = this.#eventOf(happened.entry);
      this.#events.set(happened.entry.seq, event);
      const read = (key: string) => {
        const stored = state.get(key);
        return stored && (stored.expiresAt ?? Infinity) > at ? JSON.parse(stored.value) : undefined;
      };
      const { takenBy, refused, reason } = followed.decision ?? {};
      const verdicts = this.#verdictsOn(event, followed, read);
      const because = notAskedBecause(followed.decision);
      const rules = this.#ruleset.candidates(event.triggers).map(({ id }) => id);
      this.happenings.push({
        at,
        kind: "event",
        event,
        verdicts,
        ...(reason !== undefined && { reason }),
        ...(because !== undefined && { notAsked: { rules, because } }),
      });
      if (takenBy !== undefined) {
        const what =
          refused === undefined
            ? "takes it as an answer"
            : `refuses it as an answer to ${refused.question}: it wants ${refused.wanted}`;
        this.#tell(at, ruleOrBotOf(runIdParts(takenBy)[1]), what);
      }
    }
    for (const run of followed.runs) {
      this.#runWritten(run, at);
      this.#pauseOf(run, followed.timers, at);
    }
    for (const effect of followed.effects) {
      if (effect.kind === "lookup") {
        this.#did(effect.run, "lookup", lookupFields(effect.lookup), at, true);
      }
      if (effect.kind === "http") this.#did(effect.run, "http", requestFields(effect.request), at);
    }
    for (const { run, queue, priority, note } of followed.escalations) {
      const [seq, owner] = runIdParts(run);
      const fields = { queue, priority, ...(note !== undefined && { note }) };
      this.#did({ seq, owner }, "escalate", fields, at);
    }
    for (const { level, message, fields } of followed.logs) {
      const reason = typeof fields["reason"] === "string" ? `: ${fields["reason"]}` : "";
      const owner = typeof fields["rule"] === "string" ? `rule:${fields["rule"]}` : "";
      this.happenings.push({ at, kind: "step", owner, text: `log ${level}: ${message}${reason}` });
    }
  }

  onSent(item: Item, at: number, answer: RehearsedAnswer): void {
    const { type: word, ...action } = item.action;
    const poll = "poll" in action && action.poll && { poll: pollText(action.poll) };
    const fields = { ...action, ...poll };
    const [seq, named] = runIdParts(item.run);
    const owner = ruleOrBotOf(named);
    const event = this.#events.get(seq);
    if (event === undefined) return;
    const sent = { at, owner, word, fields, answer, evaluation: new Evaluation(event, at) };
    this.sent.push(sent);
    this.happenings.push({ at, kind: "sent", sent });
  }

  onHeld({ run, action, reason = "" }: Item, at: number): void {
    this.#tell(at, ruleOrBotOf(runIdParts(run)[1]), `${action.type} is held back: ${reason}`);
  }

  /** Records a request of a bot's handler that changes something on the platform. */
  onAsked(run: Pick<RunWrite, "owner" | "seq">, fields: Sent["fields"], at: number): void {
    this.#did(run, "http", fields, at);
  }

  /** Records the place where a function that a rule calls threw an exception. */
  onThrown(called: string, place: string): void {
    this.#tell(this.#now, called, `threw at ${place}`);
  }

  onFault(text: string): void {
    this.happenings.push({ at: this.#now, kind: "fault", text });
  }

  /** Returns the evaluation context of the event `seq` of the test; default: the last event. */
  evaluationAt(at = this.#now, seq = Math.max(...this.#events.keys())): Evaluation | undefined {
    const event = this.#events.get(seq);
    return event && new Evaluation(event, at);
  }

  /** Judges the rules again. A rule that matches and was not started is a fault. */
  #verdictsOn(
    event: AccountEvent,
    { decision = { ran: [] } }: Interpretation,
    read: (key: string) => Json | undefined,
  ): readonly Verdict[] {
    const { takenBy, paused, reason, username } = decision;
    if (reason !== undefined) return [];
    const ruleset = takenBy === undefined ? this.#ruleset : interruptsOf(this.#ruleset);
    const pause = paused !== undefined && { paused };
    const verdicts = explain(event, ruleset, { now: this.#now, read, ...pause, username });
    const judged = verdicts.map((verdict) => ({ verdict, event }));
    for (const id of notStarted(event, judged, decision, ruleset)) {
      this.onFault(
        `rule ${id} matches, but was not started: please report this error of Answerback`,
      );
    }
    return verdicts;
  }

  /** @param isAside Whether the output may be missing in the test's expectations. */
  #did(
    { owner: named, seq }: Pick<RunWrite, "owner" | "seq">,
    word: string,
    fields: Sent["fields"],
    at: number,
    isAside = false,
  ): void {
    const evaluation = this.evaluationAt(at, seq);
    if (evaluation === undefined) return;
    const owner = ruleOrBotOf(named);
    const sent: Sent = { at, owner, word, fields, answer: undefined, evaluation };
    this.sent.push(isAside ? { ...sent, isAside } : sent);
    if (!isAside) this.happenings.push({ at, kind: "sent", sent });
  }

  /** Records a typing pause. It sends nothing, but a test may expect it. */
  #pauseOf(run: RunWrite, timers: Interpretation["timers"], at: number): void {
    const timer = timers.find(({ id }) => run.status === "waiting" && id === run.waitsFor);
    const rule = this.#ruleset.byId.get(ruleOf(run) ?? "");
    const evaluation = this.evaluationAt(at, run.seq);
    if (timer === undefined || rule === undefined || evaluation === undefined) return;
    if (stepAt(rule, keptRun(run))?.verb !== "typing") return;
    const to = counterpartOf(evaluation.event);
    const fields = { ...(to !== undefined && { to }), for: seconds(timer.dueAt - at) };
    const owner = ruleOrBotOf(run.owner);
    const entry = { at, owner, word: "typing", fields, answer: undefined, evaluation };
    this.sent.push({ ...entry, isAside: true });
  }

  #runWritten(run: RunWrite, at: number): void {
    const owner = ruleOrBotOf(run.owner);
    const id = ruleOf(run);
    const rule = id === undefined ? undefined : this.#ruleset.byId.get(id);
    if (id === undefined || rule === undefined) {
      if (run.status === "waiting") this.#botWaits(run, at);
      if (run.status !== "failed") return;
      const { error, place } = thrownIn(run.body);
      this.#tell(at, owner, `failed: ${error}${place === undefined ? "" : ` (at ${place})`}`);
      this.#failed(run, at, { owner, error, isHandled: false });
      return;
    }
    const ran = this.ran.get(id) ?? new Set<string>();
    this.ran.set(id, ran);
    const reported = this.#reportedOf(run);
    const state = keptRun(run);
    const event = this.#events.get(run.seq);
    const conditions = event === undefined ? [] : decidedConditions(run, event, rule);
    for (const { label, inWords } of conditions) {
      if (reported.has(`${label} ${inWords}`)) continue;
      reported.add(`${label} ${inWords}`);
      this.#tell(at, owner, `${label} ${inWords}`);
    }
    for (const [label, result] of Object.entries(state.results)) {
      ran.add(label);
      if (reported.has(label)) continue;
      reported.add(label);
      if (!result.ok) this.#tell(at, owner, `${label} failed: ${result.error.message}`);
    }
    const step = stepAt(rule, state);
    if (step !== undefined) ran.add(step.label);
    if (state.ended !== undefined) {
      const { outcome, reason } = state.ended;
      const how = outcome === "finished" ? "ends" : `${outcome}: ${reason}`;
      const { branch } = state;
      this.#tell(at, owner, branch === undefined ? how : `branch ${branch.name} ${how}`);
      if (outcome === "failed" && branch === undefined) {
        this.#failed(run, at, { owner, error: reason, isHandled: isStated(rule, state) });
      }
    } else if (state.attempts?.failed !== undefined) {
      const { step: label, number, failed } = state.attempts;
      this.#tell(at, owner, `${label} failed, is tried again: ${failed.error.message} (${number})`);
    } else if (run.status === "waiting" && step !== undefined && saysWaiting(step)) {
      this.#tell(at, owner, `waits at ${step.id ?? step.label} (${step.verb})`);
    }
  }

  /** Records each wait of a bot's handler once. */
  #botWaits(run: RunWrite, at: number): void {
    const reported = this.#reportedOf(run);
    for (const { kind, name } of waitsOf(run)) {
      const wait = `waits at ${name} (${kind})`;
      if (reported.has(wait)) continue;
      reported.add(wait);
      this.#tell(at, ruleOrBotOf(run.owner), wait);
    }
  }

  /** Returns the labels that have been recorded for a run; the caller may add to them. */
  #reportedOf({ id }: Pick<RunWrite, "id">): Set<string> {
    const reported = this.#reported.get(id) ?? new Set<string>();
    this.#reported.set(id, reported);
    return reported;
  }

  #failed(
    { seq }: RunWrite,
    at: number,
    failure: Pick<FailedRun, "owner" | "error" | "isHandled">,
  ): void {
    const evaluation = this.evaluationAt(at, seq);
    if (evaluation !== undefined) this.failedRuns.push({ at, ...failure, evaluation });
  }

  #tell(at: number, owner: string, text: string): void {
    this.happenings.push({ at, kind: "step", owner, text });
  }
}

/** Returns why rules were not evaluated, as `because` of a test has it; undefined if all were. */
function notAskedBecause(decision: Interpretation["decision"]): string | undefined {
  if (decision?.reason === PASSED_OVER) return "other-conversation";
  if (decision?.reason !== undefined) return "opted-out";
  return decision?.takenBy === undefined ? undefined : "taken-as-answer";
}

/**
 * Whether a wait at this step is recorded. Not for actions, which are recorded when sent, nor for branches, which
 * record their own waits.
 */
function saysWaiting({ action, branches }: Step): boolean {
  return action === undefined && branches === undefined;
}

/** Whether a rule states the failure of its run: its `on_error` ran to the end, or a step `stop` ended the run. */
function isStated(rule: CompiledRule, state: KeptRun): boolean {
  const step = stepAt(rule, state);
  if (step === undefined) return state.position?.[0] === "on_error";
  return step.verb === "stop" && state.results[step.label] === undefined;
}

/** Separates the error of a bot's failed run from its place, which follows on a line of its own. */
function thrownIn(body: string): { readonly error: string; readonly place?: string | undefined } {
  const { error }: { error?: unknown } = JSON.parse(body);
  const [, message = "", place] = /^(.*?)(?:\n {4}at ([^\n]*))?$/s.exec(String(error)) ?? [];
  return { error: message, place };
}

/** Describes a poll in one line, as expectations have it: `Tomato / Lentil, open for 1d`. */
function pollText({
  options,
  durationMinutes,
}: NonNullable<ActionOf<"create_post">["poll"]>): string {
  return `${options.join(" / ")}, open for ${durationInWords(durationMinutes * 60_000)}`;
}
