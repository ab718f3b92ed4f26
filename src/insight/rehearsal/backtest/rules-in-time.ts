import { endRun, interpreter, isByHand, joined, meet } from "../../../runtime/interpreting.ts";
import { runIdParts } from "../../../runtime/records.ts";
import { eventReader, ruleIdOf, stepLabel, trunkOf } from "../../../runtime/runs.ts";
import type {
  Entry,
  Interpret,
  Interpretation,
  Item,
  LaneEvent,
  NewItem,
  RunEffect,
  RunWrite,
} from "../../../runtime/vocabulary.ts";
import { describeAction, usualResult } from "../../../actions/actions.ts";
import type { Ruleset } from "../../../rules/ruleset.ts";
import { lookupInWords } from "../../../actions/lookup.ts";
import { standIns } from "../../../rules/secrets.ts";
import { atOnce } from "./at-once.ts";
import { EntryAnswers, type RuleOutput, type SideNews } from "./entry-answers.ts";
import { idOnPlatform } from "./platform-ids.ts";
import { type OpenVirtualRun, VirtualStore } from "./virtual-store.ts";

/** Rules and account handles for a replay of the journal. */
export interface RulesInTimeNeeds {
  readonly ruleset: Ruleset;
  /** Returns the handle of an account; empty if unknown. */
  readonly usernameOf: (account: string) => string;
}

/** An outbox item or external effect that follows immediately from a decision. */
type Following = { readonly cause: number } & (
  | { readonly item: NewItem }
  | { readonly effect: RunEffect }
);

/**
 * Runs journal entries through rules, in order and in virtual time.
 *
 * The interpreter is the one of the runtime. The platform accepts every outbox item immediately, and timers fall due
 * between the entries. A run ends at a call to a module or a request to a service, since its answer is unknown.
 */
export class RulesInTime {
  readonly #ruleset: Ruleset;
  readonly #usernameOf: RulesInTimeNeeds["usernameOf"];
  readonly #store: VirtualStore;
  readonly #answers = new EntryAnswers();
  readonly #interpret: Interpret;
  readonly #reader = eventReader(AT_HAND);
  #following: Following[] = [];
  #now = 0;

  constructor({ ruleset, usernameOf }: RulesInTimeNeeds) {
    this.#ruleset = ruleset;
    this.#usernameOf = usernameOf;
    this.#store = new VirtualStore(this.#answers);
    const byRevision = new Map(ruleset.rules.map((rule) => [rule.revision, rule]));
    this.#interpret = interpreter({
      ruleset: () => ruleset,
      bots: () => [],
      isLinked: () => true,
      usernameOf,
      resolveModule: (_file, module) => module,
      secretsOf: standIns,
      archive: {
        find: async (revision) => byRevision.get(revision),
        toKeep: () => undefined,
        noteStored: () => {},
      },
      now: () => this.#now,
      store: this.#store,
      eventOf: this.#reader.eventOf,
    });
  }

  /** Processes the next entry. Timers that fall due before its arrival are processed first. */
  async take(entry: Entry): Promise<void> {
    this.#answers.begin(entry);
    await this.#goTo(entry.arrivedAt);
    this.#now = Math.max(this.#now, entry.arrivedAt);
    try {
      this.#reader.eventOf(entry);
    } catch {
      // The running bot would dead-letter this entry, so it counts as failed here, too.
      this.#answers.fail();
      return;
    }
    if (isByHand(entry)) {
      // an operator wrote the answer, so it is the same for both sets of rules and is not compared
      this.#answers.rest();
      return;
    }
    const listeners = this.#store.listeners(entry.lane);
    const silences = this.#store.silencesIn(entry.lane);
    if (listeners.length + silences.length > 0 || !this.#isOverAtOnce(entry)) {
      await this.#follow({ kind: "event", entry, listeners, silences }, entry.seq);
    }
    this.#answers.rest();
  }

  /** Returns the results since the previous report. */
  news(): SideNews {
    return this.#answers.news();
  }

  /** Ends the replay, after the timers of waiting runs have fallen due. */
  async finish(): Promise<void> {
    await this.#goTo(this.#now + LONGEST_WAIT_MS);
    this.#answers.end();
  }

  /**
   * Processes an event without the interpreter if possible; most events allow this.
   *
   * @returns Whether it was possible.
   */
  #isOverAtOnce(entry: Entry): boolean {
    const event = this.#reader.eventOf(entry);
    const { remembersPeople, namesAccounts } = this.#ruleset;
    if (!remembersPeople && this.#ruleset.candidates(event.triggers).length === 0) return true;
    const username = namesAccounts ? this.#usernameOf(entry.account) : undefined;
    const { read } = this.#store.at(this.#now);
    const followed = atOnce(event, entry, this.#ruleset, {
      now: this.#now,
      username,
      read,
      secretsOf: standIns,
    });
    if (followed === undefined) return false;
    if (remembersPeople) meet(event, this.#store.at(this.#now));
    for (const change of followed.changes) this.#store.at(this.#now).write(change);
    for (const output of followed.outgoing) {
      this.#answers.add(entry.seq, { ...output, at: this.#now });
    }
    return true;
  }

  async #goTo(time: number): Promise<void> {
    for (;;) {
      const timer = this.#store.takeDue(time);
      if (timer === undefined) return;
      this.#now = Math.max(this.#now, timer.dueAt);
      const open = this.#store.run(timer.run);
      if (open === undefined) continue;
      const silences = this.#store.silencesIn(timer.lane);
      const { run, entry, cause } = open;
      await this.#follow({ kind: "timer-due", timer, run, entry, silences }, cause);
      this.#answers.rest();
    }
  }

  /** Processes an input, and all items and effects that follow from it immediately. */
  async #follow(first: LaneEvent, cause: number): Promise<void> {
    await this.#happens(first, cause);
    for (let next = this.#following.shift(); next; next = this.#following.shift()) {
      if ("effect" in next) this.#leave(next.effect, next.cause);
      else await this.#send(next.item, next.cause);
    }
  }

  async #happens(happened: LaneEvent, cause: number): Promise<void> {
    this.#keep(await this.#interpret(happened), happened, cause);
  }

  #keep(followed: Interpretation, happened: LaneEvent, cause: number): void {
    const listeners = happened.kind === "event" ? happened.listeners : [];
    const entryOf = ({ seq }: RunWrite): Entry =>
      listeners.find(({ entry }) => entry.seq === seq)?.entry ?? happened.entry;
    this.#store.keep(entryOf, followed, cause, this.#now);
    for (const { run, queue } of followed.escalations) {
      this.#goesOut(run, { what: `escalate to ${queue}` }, cause);
    }
    const { withdrawn, effects, items } = followed;
    if (withdrawn.length > 0) {
      this.#following = this.#following.filter(
        (one) => !("item" in one && withdrawn.includes(one.item.run)),
      );
    }
    for (const effect of effects) this.#following.push({ effect, cause });
    for (const item of items) this.#following.push({ item, cause });
  }

  /** Records an outbox item as sent, and resumes the run that waits for this item. */
  async #send(item: NewItem, cause: number): Promise<void> {
    const { action, run: id } = item;
    const step = stepLabel(item);
    this.#goesOut(id, { what: describeAction(action), step, to: action.to }, cause);
    const open = this.#store.run(item.run);
    if (open?.run.waitsFor !== item.key) return;
    const { run, entry } = open;
    const platformId = idOnPlatform(item.key);
    const sent: Item = {
      ...item,
      id: item.seq,
      partition: entry.partition,
      status: "sent",
      attempts: 1,
      platformId,
      result: usualResult(action, { account: item.account, platformId }),
    };
    const silences = this.#store.silencesIn(entry.lane);
    await this.#happens({ kind: "item-settled", item: sent, run, entry, silences }, cause);
  }

  /**
   * Ends a run at a call or request, whose answer is unknown. A branch ends its main run too; other branches continue.
   */
  #leave(effect: RunEffect, cause: number): void {
    this.#goesOut(effect.run.id, { what: inWords(effect) }, cause);
    const open: OpenVirtualRun | undefined = this.#store.run(effect.run.id);
    if (open === undefined) return;
    this.#answers.leave();
    const { run, entry } = open;
    const happened = { kind: "rule-changed", run, entry } as const;
    const trunk = this.#store.run(trunkOf(run.id) ?? "")?.run;
    const ending = [run, ...(trunk === undefined ? [] : [trunk])];
    const ended = ending.map((one) => endRun(one, "what it asks for is not known here"));
    this.#keep(joined(ended), happened, cause);
  }

  #goesOut(run: string, output: Omit<RuleOutput, "rule">, cause: number): void {
    const rule = ruleIdOf(runIdParts(run)[1]);
    this.#answers.add(cause, { rule, ...output, at: this.#now });
  }
}

function inWords(effect: RunEffect): string {
  switch (effect.kind) {
    case "call":
      return `call ${effect.call.module}#${effect.call.export}`;
    case "http":
      return `http ${effect.request.method} ${effect.request.url}`;
    case "lookup":
      return `look up ${lookupInWords(effect.lookup)}`;
    case "handle":
      return "a bot's handler";
  }
}

/** Maximum number of parsed events in the cache. Resumed runs need the events that started them. */
const AT_HAND = 64;

/** Maximum virtual wait after the last entry, in milliseconds; timers that are due later are ignored. */
const LONGEST_WAIT_MS = 31 * 24 * 60 * 60_000;
