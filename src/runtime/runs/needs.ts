import type { Posting } from "../../protocol/public-text/posting.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { LoadedBot } from "../../bots/messages.ts";
import { type CompiledRule, ruleNamed, type Ruleset } from "../../rules/ruleset.ts";
import type { Entry } from "../store/entry.ts";
import type { RuleSource } from "../store/run.ts";
import type { DecidePort, ReadPort } from "../store/store.ts";
import type { BotRunContext } from "./bot-run.ts";
import { eventOf, type ReadEntry } from "./entry-event.ts";
import type { Memory, RememberPort } from "./memory.ts";
import type { OpeningHours } from "../../hours/opening-hours.ts";
import type { OptOut } from "./restraints/opt-out-words.ts";
import type { ReplyLimits } from "./restraints/reply-limits.ts";
import type { RuleArchive } from "./rule-archive.ts";
import type { RuleRunContext } from "./rule-run.ts";

/** What the interpreter works with. */
export interface InterpreterNeeds
  extends Pick<RuleRunContext, "resolveModule">, Pick<BotRunContext, "usernameOf"> {
  /** Whether the account is linked here now, be it that its tokens don't work: a revoked one goes on later. */
  readonly isLinked: (account: string) => boolean;
  /** What an account may answer before its answers are held back; no limits unless given. */
  readonly limitsOf?: (account: string) => ReplyLimits;
  /** How people say that they want to hear no more; nobody can unless given. */
  readonly optOut?: OptOut | undefined;
  /** When an account does not speak first; never unless given. */
  readonly quietHoursOf?: ((account: string) => OpeningHours | undefined) | undefined;
  /** Settings for texts that are published; the usual ones unless given. */
  readonly posting?: Posting | undefined;
  /** Values of the secrets that a rule reads, by name. */
  readonly secretsOf: (rule: CompiledRule) => Readonly<Record<string, string>>;
  /** The rules that decide on events now. */
  readonly ruleset: () => Ruleset;
  /** The bots that are loaded. */
  readonly bots: () => readonly LoadedBot[];
  readonly store: RememberPort & Pick<DecidePort, "silences"> & Pick<ReadPort, "items">;
  /** Reads the event of an entry; each time anew unless given. */
  readonly eventOf?: ReadEntry;
  /** The rules that runs go by, also those of earlier revisions. */
  readonly archive: RuleArchive;
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
}

/** The same for one thing that happened: it is decided by one ruleset, whatever is saved meanwhile. */
export interface Needs extends Omit<InterpreterNeeds, "ruleset"> {
  readonly ruleset: Ruleset;
}

/** An event, with what is known when it is decided on. */
export interface AtHand {
  readonly event: AccountEvent;
  readonly entry: Entry;
  readonly memory: Memory;
  /** Why rules and bots are silent, but for rules that interrupt. */
  readonly paused: string | undefined;
}

/** The event that an entry keeps. */
export function readEvent(entry: Entry, { eventOf: read = eventOf }: Needs): AccountEvent {
  return read(entry);
}

/** What a run of `rule` may look at. */
export function contextOf(rule: CompiledRule, memory: Memory, needs: Needs): RuleRunContext {
  const { resolveModule, secretsOf, now, ruleset } = needs;
  const takenApart = rule.secrets.flatMap(({ name, isTakenApart }) => (isTakenApart ? [name] : []));
  return {
    now: now(),
    secrets: secretsOf(rule),
    takenApart,
    memory,
    resolveModule,
    ruleNamed: (ids) => ruleNamed(ids, ruleset.byId),
  };
}

/** An open run's rule must be there after a restart with other rules. */
export function sourceOf(rule: CompiledRule, { archive, now }: Needs): readonly RuleSource[] {
  const source = archive.toKeep(rule, now());
  return source === undefined ? [] : [source];
}
