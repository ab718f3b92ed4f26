import { isByHand } from "../../../runtime/runs/hand-over/answered-by-hand.ts";
import { describeAction } from "../../../actions/actions.ts";
import type { Ruleset } from "../../../rules/ruleset.ts";
import { standIns } from "../../../rules/secrets.ts";
import type { RunEffect } from "../../../runtime/runs/effect.ts";
import { eventReader } from "../../../runtime/runs/entry-event.ts";
import { endRun } from "../../../runtime/runs/parallel/whole-run.ts";
import { meet } from "../../../runtime/runs/interpret/on-event.ts";
import { type Interpret, interpreter } from "../../../runtime/runs/interpreter.ts";
import { type Interpretation, type LaneEvent, joined } from "../../../runtime/runs/lane-event.ts";
import { stepLabel, ruleIdOf } from "../../../runtime/runs/run-place.ts";
import { trunkOf } from "../../../runtime/runs/parallel/branch-owner.ts";
import type { Entry } from "../../../runtime/store/entry.ts";
import type { Item, NewItem } from "../../../runtime/store/item.ts";
import { runIdParts, type RunWrite } from "../../../runtime/store/run.ts";
import { atOnce } from "./at-once.ts";
import { EntryAnswers, type RuleOutput, type SideNews } from "./entry-answers.ts";
import { idOnPlatform } from "./platform-ids.ts";
import { type OpenVirtualRun, VirtualStore } from "./virtual-store.ts";

/** What rules are put through the journal with. */
export interface RulesInTimeNeeds {
  readonly ruleset: Ruleset;
  /** Handle of an account; empty where it is not known. */
  readonly usernameOf: (account: string) => string;
}

/** Something that follows at once from what was decided. */
type Following = { readonly cause: number } & (
  | { readonly item: NewItem }
  | { readonly effect: RunEffect }
);

/**
 * Rules over the entries of the journal in their order: what the runtime would have done, in virtual time.
 *
 * The interpreter is the runtime's. The platform takes everything at once, timers fall due between the entries, and a
 * run that asks a module or a service is left there, since what those would have said is not known.
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
        kept: () => {},
      },
      now: () => this.#now,
      store: this.#store,
      eventOf: this.#reader.eventOf,
    });
  }

  /** The next entry comes in, after everything that was due before it. */
  async take(entry: Entry): Promise<void> {
    this.#answers.begin(entry);
    await this.#goTo(entry.arrivedAt);
    this.#now = Math.max(this.#now, entry.arrivedAt);
    try {
      this.#reader.eventOf(entry);
    } catch {
      // as the bot does with what it can't read: it is given up, and told of in the end
      this.#answers.fail();
      return;
    }
    if (isByHand(entry)) {
      // no rule said it
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

  /** What became known since it was asked last. */
  news(): SideNews {
    return this.#answers.news();
  }

  /** No more entries come: what runs still wait for falls due. */
  async finish(): Promise<void> {
    await this.#goTo(this.#now + LONGEST_WAIT_MS);
    this.#answers.end();
  }

  /** Whether all that follows from the event has followed: for most events that needs no interpreter. */
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

  /** Something happened, and all that follows from it at once. */
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

  /** The platform takes it, and the run that waits for that goes on. */
  async #send(item: NewItem, cause: number): Promise<void> {
    const { action, run: id } = item;
    const step = stepLabel(item);
    this.#goesOut(id, { what: describeAction(action), step, to: action.to }, cause);
    const open = this.#store.run(item.run);
    if (open?.run.waitsFor !== item.key) return;
    const { run, entry } = open;
    const sent: Item = {
      ...item,
      id: item.seq,
      partition: entry.partition,
      status: "sent",
      attempts: 1,
      platformId: idOnPlatform(item.key),
    };
    const silences = this.#store.silencesIn(entry.lane);
    await this.#happens({ kind: "item-settled", item: sent, run, entry, silences }, cause);
  }

  /** What a module or a service says is not known here: the run ends there; its other branches go on. */
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
    case "handle":
      return "a bot's handler";
  }
}

/** Events that are kept at hand: that of the entry that is taken, and of runs that go on. */
const AT_HAND = 64;

/** What waits for longer than this after the last entry is not waited for. */
const LONGEST_WAIT_MS = 31 * 24 * 60 * 60_000;
