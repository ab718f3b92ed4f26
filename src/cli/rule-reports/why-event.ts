import { withSameSettings } from "../output/same-settings.ts";
import { wrap } from "../output/wrap.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { UsageError } from "../../errors.ts";
import { ruleOf } from "../../insight/kept-run.ts";
import { eventInWords } from "../../insight/words/event.ts";
import { verdictInWords } from "../../insight/words/verdict.ts";
import { type WhyAnswer, whyRule } from "../../insight/words/why.ts";
import type { Verdict } from "../../rules/decide.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import type { CommonFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { formatTime } from "../output/format-time.ts";
import { counted } from "../../text/counted.ts";
import { visible } from "../../text/unseen.ts";
import { tellClock } from "../target/platform-time.ts";
import { type Stored, withStored } from "../target/stored.ts";
import { decided, type KeptVerdicts } from "../../insight/traces/decided.ts";
import { findEvent, type FoundEvent, newestOf } from "../../insight/traces/find-event.ts";
import { outcomeWithTaker } from "../../insight/traces/outcome/taken-outcome.ts";
import { look } from "../../insight/traces/outcome/repair.ts";
import type { TraceOutcome } from "../../insight/traces/trace.ts";
import { type JudgedVerdict, judgedOn } from "../../insight/traces/verdicts.ts";
import { notStarted } from "../../insight/words/not-started.ts";
import { notReceived } from "./not-received.ts";
import { projectRules } from "../project-rules.ts";
import { shell } from "../../text/shell.ts";

/** Flags of `answerback why`. */
export interface WhyFlags extends CommonFlags {
  readonly rule?: string;
}

/** Maximum number of rules to list; further rules are only counted. */
const MAX_SHOWN_RULES = 40;

/**
 * Explains why rules did or did not run for an event. The verdicts are recomputed from stored data.
 *
 * @throws {UsageError} if the event or the rule does not exist.
 */
export async function whyEvent(io: Io, which: string, flags: WhyFlags): Promise<void> {
  const ruleset = await projectRules(io, flags);
  await withStored(io, flags, async (stored) => {
    const missing = which.startsWith("@") ? await notReceived(io, stored, which, flags) : undefined;
    if (missing !== undefined && flags.json !== true) io.out(`${indented(io, missing)}\n`);
    if (missing !== undefined && (await newestOf(stored, which)) === undefined) {
      const eventOutcome = { word: "not received", reason: missing };
      if (flags.json === true) io.out(`${JSON.stringify({ eventOutcome })}\n`);
      return;
    }
    const foundEvent = await findEvent(stored, which);
    await tellClock(io, flags);
    const storedDecision = decided(foundEvent);
    const judged = judgedOn(foundEvent.event, ruleset, storedDecision);
    const verdicts = judged.map(({ verdict }) => verdict);
    if (flags.rule !== undefined) {
      await whyOne(io, flags.rule, {
        stored,
        foundEvent,
        storedDecision,
        judged,
        ruleset,
        flags,
      });
      return tellHandOver(io, stored, { storedDecision, flags });
    }
    const outcome = await outcomeOf(stored, { foundEvent, storedDecision, verdicts, ruleset });
    const { word, reason } = outcome;
    const repair = outcome.repair && withSameSettings(outcome.repair.inWords, flags);
    const { undecided } = storedDecision;
    if (flags.json === true) {
      return printJson(io, verdicts, { undecided, eventOutcome: { word, reason, repair } });
    }
    // This command would be advice to run itself.
    const isOwn =
      outcome.repair?.inWords === look(shell`answerback why ${foundEvent.row.seq}`).inWords;
    const sentence = repair === undefined || isOwn ? reason : `${reason}; ${repair}`;
    io.out(`${headOf(foundEvent)}\n${indented(io, visible(sentence))}\n`);
    const questions = await openQuestions(stored, foundEvent);
    for (const run of questions) io.out(`${indented(io, run)}\n`);
    const shown = [...verdicts].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_SHOWN_RULES);
    for (const verdict of shown) {
      io.out(`${indented(io, visible(verdictInWords(verdict, undecided)))}\n`);
    }
    const hiddenCount = verdicts.length - shown.length;
    if (hiddenCount > 0)
      io.out(`  … and ${counted(hiddenCount, "rule")} more; one in full: --rule ID\n`);
    if (verdicts.length === 0 && foundEvent.event.kind !== "answer_by_hand") {
      io.out("  no rule has a trigger for this event\n");
    }
    tellDoubts(io, { storedDecision, foundEvent, judged, ruleset });
    await tellHandOver(io, stored, { storedDecision, flags });
  });
}

/** Outcome of an event, and the reason why nothing was decided on it, if there is one. */
interface PrintedOutcome {
  readonly undecided: string | undefined;
  readonly eventOutcome: Pick<TraceOutcome, "word" | "reason"> & {
    readonly repair: string | undefined;
  };
}

/**
 * Prints the verdict of each rule (ran, skipped or did not match) as a JSON object, with the event's outcome; the outcome
 * alone if no rule has a trigger for the event.
 */
function printJson(
  io: Io,
  verdicts: readonly Verdict[],
  { undecided, eventOutcome }: PrintedOutcome,
): void {
  const rules = verdicts.map((verdict) => inJson(verdict, undecided));
  for (const rule of rules.length === 0 ? [{}] : rules) {
    io.out(`${JSON.stringify({ ...rule, eventOutcome })}\n`);
  }
}

/** Returns a verdict for JSON. A rule that matches an event on which nothing was decided did not run: `would-run`. */
function inJson(verdict: Verdict, undecided: string | undefined) {
  return verdict.outcome === "ran" && undecided !== undefined
    ? { ...verdict, outcome: "would-run" }
    : verdict;
}

/** Maximum number of earlier events of a conversation to search for runs that wait for an answer. */
const MAX_EARLIER_ROWS = 200;

/** Describes the runs to which an undecided event is offered before the rules: they wait for the person's answer. */
async function openQuestions(
  stored: Pick<Stored, "journal">,
  { row: { seq, state, account, lane } }: FoundEvent,
): Promise<readonly string[]> {
  if (state !== "open") return [];
  const earlier = await stored.journal({ account, lane, before: seq, limit: MAX_EARLIER_ROWS });
  return earlier
    .flatMap(({ runs }) => runs)
    .filter((run) => run.status === "waiting" && run.listens === true)
    .map(({ id }) => `run ${id} waits for an answer, and is offered this event first`);
}

interface WhyContext {
  readonly foundEvent: FoundEvent;
  readonly storedDecision: KeptVerdicts;
  readonly verdicts: readonly Verdict[];
  readonly ruleset: Ruleset;
  readonly flags: WhyFlags;
}

interface WhyOneContext extends Omit<WhyContext, "verdicts"> {
  readonly judged: readonly JudgedVerdict[];
  readonly stored: Pick<Stored, "journal">;
}

async function whyOne(
  io: Io,
  id: string,
  { stored, foundEvent, storedDecision, judged, ruleset, flags }: WhyOneContext,
): Promise<void> {
  const rule = ruleset.byId.get(id);
  if (rule === undefined) {
    const guess = didYouMean(id, ruleset.byId.keys());
    throw new UsageError(`there is no rule ${id}`, {
      hint:
        guess === undefined ? "list them with: answerback rules list" : `did you mean ${guess}?`,
    });
  }
  const { verdict, event } = judged.find((one) => one.verdict.ruleId === id) ?? {};
  if (verdict === undefined && storedDecision.takenBy !== undefined && !rule.interrupts) {
    const { takenBy } = storedDecision;
    io.out(
      flags.json === true
        ? `${JSON.stringify({ ruleId: id, outcome: "no", reason: "taken", takenBy })}\n`
        : `${id} was not asked: run ${takenBy} took ${headOf(foundEvent)} as an answer\n`,
    );
    return;
  }
  if (verdict === undefined || event === undefined) {
    const triggers = [...new Set(rule.triggers.map(({ trigger }) => trigger))].join(", ");
    if (flags.json === true)
      io.out(`${JSON.stringify({ ruleId: id, outcome: "no", reason: "trigger" })}\n`);
    else
      io.out(
        `${id} (${rule.file}:${rule.line}) listens to ${triggers}, and this is ${headOf(foundEvent)}\n`,
      );
    return;
  }
  const why = whyRule(rule, verdict, event, storedDecision.context);
  const { undecided } = storedDecision;
  if (flags.json === true) {
    io.out(`${JSON.stringify({ ...why, verdict: inJson(verdict, undecided) })}\n`);
  } else {
    const verdicts = judged.map((one) => one.verdict);
    io.out(whyText(why, foundEvent, { verdicts, undecided }));
    for (const run of await openQuestions(stored, foundEvent)) io.out(`${indented(io, run)}\n`);
    const shown = [{ verdict, event }];
    tellDoubts(io, { storedDecision, foundEvent, judged: shown, ruleset });
  }
}

function whyText(
  { verdict, lines, closest }: WhyAnswer,
  foundEvent: FoundEvent,
  { verdicts, undecided }: Pick<WhyContext, "verdicts"> & Pick<PrintedOutcome, "undecided">,
): string {
  const { ruleId, file, line, outcome, reason } = verdict;
  const ran = undecided === undefined ? "ran" : "would run";
  const did = outcome === "ran" ? ran : "did NOT run";
  const because = outcome === "ran" || reason === "condition" ? "" : ` (${reason})`;
  const wide = (of: (one: WhyAnswer["lines"][number]) => string, most: number): number =>
    Math.min(most, Math.max(0, ...lines.map((one) => of(one).length)));
  const [first, second] = [wide(({ where }) => where, 28), wide(({ wanted }) => wanted, 60)];
  let last = "";
  const rows = lines.map(({ where, wanted, state, actual }) => {
    const place = where === last ? "" : where;
    last = where;
    const actualText = actual === undefined || state === "ok" ? "" : `  ${actual}`;
    return `  ${place.padEnd(first)}  ${wanted.padEnd(second)}  ${state.padEnd(2)}${actualText}`.trimEnd();
  });
  const near =
    closest === undefined
      ? []
      : [
          `  closest: "${closest.found}" is ${counted(closest.edits, "edit")} from "${closest.wanted}"`,
        ];
  const others = verdicts.filter((one) => one.outcome === "ran" && one.ruleId !== ruleId);
  const then = others.map(({ ruleId: id }) =>
    undecided === undefined
      ? `  then: ${id} ran (run ${runOf(id, foundEvent)})`
      : `  then: ${id} would run`,
  );
  const head = `${ruleId} (${file}:${line}) ${did} for ${headOf(foundEvent)}${because}`;
  return [head, ...rows, ...near, ...then].map((text) => `${visible(text)}\n`).join("");
}

/** Returns the id of the run that the event started of a rule. */
function runOf(rule: string, { row: { seq, runs } }: FoundEvent): string {
  return runs.find((run) => ruleOf(run) === rule)?.id ?? `${seq}/rule:${rule}`;
}

/** Maximum number of outbox items and of hand-overs to read; no event and no account has more. */
const MAX_OUTCOME_ROWS = 1_000;

/** Returns the event's outcome. If the event stayed unanswered, the outcome includes the fix. */
async function outcomeOf(
  stored: Pick<Stored, "outbox" | "escalations" | "journal" | "hindrances" | "now">,
  { foundEvent, storedDecision, verdicts, ruleset }: Omit<WhyContext, "flags">,
): Promise<TraceOutcome> {
  const { row, event } = foundEvent;
  const { seq, account } = row;
  return outcomeWithTaker(stored, {
    row,
    event,
    decision: storedDecision,
    verdicts,
    ruleset,
    listening: ruleset.candidates(event.triggers).length,
    items: await stored.outbox({ seq, limit: MAX_OUTCOME_ROWS }),
    escalations: await stored.escalations({ account, limit: MAX_OUTCOME_ROWS }),
    hindrances: stored.hindrances,
    now: await stored.now(),
  });
}

/** Text such as `dm.received 1789 from @ann: "hello" at …`. */
function headOf({ row, event }: FoundEvent): string {
  return visible(`event ${row.seq}, ${eventInWords(event)}, at ${formatTime(event.at)}`);
}

/** Sort order: rules that ran, rules that were skipped, rules that do not match. */
function rank({ outcome }: Verdict): number {
  return { ran: 0, skipped: 1, no: 2 }[outcome];
}

/** Prints reasons why the recomputed verdicts may differ from the original decision. */
function tellDoubts(
  io: Io,
  {
    storedDecision,
    foundEvent,
    judged,
    ruleset,
  }: Pick<WhyOneContext, "storedDecision" | "foundEvent" | "judged" | "ruleset">,
): void {
  const { revision, ran, takenBy, undecided } = storedDecision;
  if (takenBy !== undefined) {
    io.err(
      `Run ${takenBy} took it as an answer: only rules that may interrupt a question were evaluated.\n`,
    );
  }
  if (undecided !== undefined) io.err(`Nothing was decided: ${visible(undecided)}.\n`);
  else if (revision !== undefined && revision !== ruleset.revision) {
    const then = ran.length === 0 ? "no rule" : ran.join(", ");
    io.err(
      `The rules have changed since; the verdicts below are of the current rules. At that time ${then} ran.\n`,
    );
  }
  for (const id of notStarted(foundEvent.event, judged, storedDecision, ruleset)) {
    io.err(
      `Rule ${id} matches, but the decision did not start it: please report this error of Answerback.\n`,
    );
  }
}

/** Prints how to resolve the hand-over that silenced the rules, or when it was resolved. */
async function tellHandOver(
  io: Io,
  stored: Pick<Stored, "escalations">,
  { storedDecision, flags }: Pick<WhyContext, "storedDecision" | "flags">,
): Promise<void> {
  const [, id] = /^escalation (\d+)$/.exec(storedDecision.context.paused ?? "") ?? [];
  if (id === undefined || flags.json === true) return;
  const [escalation] = await stored.escalations({ id: Number(id), limit: 1 });
  if (escalation === undefined) return;
  const { resolvedAt } = escalation;
  io.err(
    resolvedAt === undefined
      ? `A person has taken over. Let rules and bots answer again with: ${withSameSettings(shell`answerback escalations resolve ${id}`, flags)}\n`
      : `The hand-over was resolved at ${formatTime(resolvedAt)}; earlier messages stay unanswered.\n`,
  );
}

/** Indents a line of the report by two columns. If the line is wrapped, its further parts are indented by six. */
function indented({ width }: Io, text: string): string {
  return `  ${width === undefined ? text : wrap(text, width - 6).join("\n      ")}`;
}
