import type { Problem } from "../../config/problem.ts";
import { UsageError } from "../../errors.ts";
import type { AccountEvent, Person } from "../../events/event.ts";
import { lookupInWords } from "../../actions/lookup.ts";
import type { HttpOutcome } from "../../rules/run/http-request.ts";
import { entryOf, Rehearsal } from "../rehearsal/rehearsal.ts";
import type { RuleSetting } from "../rehearsal/rule-setting.ts";
import { eventOf } from "../tests/event-of.ts";
import { doingOf, type TestedTrigger } from "../tests/test-file.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { standIns } from "../../rules/secrets.ts";
import { openMemoryStore } from "../../runtime/interpreting.ts";
import { editedRules, type RuleEdit, type RuleFiles } from "./edited-rules.ts";
import { storedReaders } from "./stored-readers.ts";
import type { Trace } from "./trace.ts";
import { traceFound } from "./trace-of.ts";

/** Rules, account and clock for trying a message. */
export interface TryNeeds extends RuleFiles, Pick<RuleSetting, "account"> {
  /** Returns the rules that the bot currently uses. */
  readonly ruleset: () => Ruleset;
  /** Returns the current time by the platform's clock, in milliseconds since the epoch. */
  readonly now: () => number;
}

/** A message or other action to try, by a person who is new to the bot. */
export interface Trial {
  readonly text: string;
  /** Trigger that the message or action causes. Default: `dm.received`. */
  readonly trigger?: TestedTrigger;
  /** Author of the message or action. Default: a person with the handle `somebody`. */
  readonly as?: Partial<Person>;
  /** Unsaved text that replaces one rule file. */
  readonly rules?: RuleEdit;
}

/** Trace of the tried message, or the problems of the edited rules. */
export interface Tried {
  /** Trace of the trial; absent if the edited rules have errors. */
  readonly trace?: Trace;
  /** Problems of the edited text. */
  readonly problems: readonly Problem[];
  /** Modules and services that were not called. Their steps failed, and the trace continues after them. */
  readonly notAsked: readonly string[];
}

/** Error message that replaces the answer of a module or service. */
const NOT_ASKED = "it is not asked while a message is tried";

/**
 * Runs a message through the rules. Nothing is sent, called or stored, and stored state is not read. The time stands
 * still, so that a run waits at a `delay`. Each secret has a default value.
 *
 * @throws {UsageError} for a trigger that no person can cause.
 */
export async function tryMessage(needs: TryNeeds, trial: Trial): Promise<Tried> {
  const edited = trial.rules && (await editedRules(needs, trial.rules));
  const problems = edited?.problems ?? [];
  if (edited?.isBroken === true) return { problems, notAsked: [] };
  const ruleset = edited?.ruleset ?? needs.ruleset();
  return {
    ...(await tryEvent({ ...needs, ruleset: () => ruleset }, eventIn(trial, needs))),
    problems,
  };
}

/** Runs an existing event through the rules, as if it arrived now. */
export async function tryEvent(
  needs: Omit<TryNeeds, "files" | "readNamed">,
  event: AccountEvent,
): Promise<Required<Pick<Tried, "trace" | "notAsked">>> {
  const notAsked: string[] = [];
  const { account } = needs;
  const ruleset = needs.ruleset();
  const store = openMemoryStore();
  const faults: string[] = [];
  const rehearsal = await Rehearsal.open({
    store,
    ruleset,
    account,
    secretsOf: standIns,
    resolveModule: (_file, module) => module,
    performer: {
      handle: () => Promise.reject(new Error(NOT_ASKED)),
      call: async ({ module, export: name }) => {
        notAsked.push(`${module}#${name}`);
        return { ok: false, error: NOT_ASKED };
      },
      lookUp: async ({ lookup }) => {
        notAsked.push(lookupInWords(lookup));
        return { ok: false, code: "lookup-failed", error: NOT_ASKED };
      },
      request: async ({ method, url }): Promise<HttpOutcome> => {
        notAsked.push(`${method} ${url}`);
        return { ok: false, code: "http-failed", error: NOT_ASKED };
      },
    },
    eventOf: () => event,
    startAt: needs.now(),
    watch: { onTakenIn: () => {}, onSent: () => {}, onFault: (text) => void faults.push(text) },
  });
  try {
    await rehearsal.deliver(entryOf(event, rehearsal.now, JSON.stringify(event)));
    const [row] = await store.journal({ limit: 1 });
    if (row === undefined) throw new Error("the rehearsal has kept nothing");
    const trace = await traceFound(
      {
        ...storedReaders(store),
        ruleset: () => ruleset,
        usernameOf: () => account.username,
      },
      { row, event },
    );
    const [fault] = faults;
    const outcome =
      fault === undefined ? trace.outcome : ({ word: "error", reason: fault } as const);
    return { trace: { ...trace, outcome }, notAsked };
  } finally {
    await rehearsal.close();
  }
}

/** Id of the tried message or post; no real post has it. */
const TRIAL_ID = "1000000000000000001";

/** Profile of a person who has just signed up. No real person has the id. */
const NEW_PERSON = {
  id: "1",
  followersCount: 0,
  followingCount: 0,
  postCount: 0,
  verified: false,
  protected: false,
} as const satisfies Person;

function eventIn({ text, trigger = "dm.received", as }: Trial, needs: TryNeeds): AccountEvent {
  if (trigger.startsWith("link.")) throw new UsageError(`nobody does ${trigger}`);
  const { username = "somebody" } = as ?? {};
  const person = { ...NEW_PERSON, name: username, createdAt: needs.now(), ...as, username };
  const says = trigger === "dm.received" || trigger.startsWith("post.");
  const doing = doingOf(trigger, { from: "somebody", ...(says && { text }) });
  return eventOf(doing, { account: needs.account, person, at: needs.now(), id: TRIAL_ID });
}
