import type { Posting } from "../../protocol/public-text/posting.ts";
import type { AccountEvent, PostEvent } from "../../events/event.ts";
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

/** Check of edited posts at their decision. */
interface EditNeeds {
  /**
   * Whether an edit must not be answered like a new post, because an earlier version is answered. Absent: the triggers
   * of its entry apply.
   */
  readonly isAnsweredEdit?: (event: PostEvent) => Promise<boolean>;
}

/** Rules, bots, settings and clock that the interpreter of lane events uses. */
export interface InterpreterNeeds
  extends Pick<RuleRunContext, "resolveModule">, Pick<BotRunContext, "usernameOf">, EditNeeds {
  /**
   * Whether the account is linked here now. An account with revoked tokens counts as linked, because its runs continue
   * later.
   */
  readonly isLinked: (account: string) => boolean;
  /** Returns the limits above which an account's answers are held. Absent: no limits. */
  readonly limitsOf?: (account: string) => ReplyLimits;
  /** Words by which people opt out of messages. Absent: opting out is impossible. */
  readonly optOut?: OptOut | undefined;
  /** Returns the hours in which an account does not write first. Absent: no quiet hours. */
  readonly quietHoursOf?: ((account: string) => OpeningHours | undefined) | undefined;
  /** Settings for published texts, such as the handling of other people's mentions and links. Absent: the defaults. */
  readonly posting?: Posting | undefined;
  /** Returns the values of the secrets that a rule reads, by name. */
  readonly secretsOf: (rule: CompiledRule) => Readonly<Record<string, string>>;
  /** Returns the rules that decide on events now. */
  readonly ruleset: () => Ruleset;
  /** Returns the loaded bots. */
  readonly bots: () => readonly LoadedBot[];
  readonly store: RememberPort & Pick<DecidePort, "silences"> & Pick<ReadPort, "items">;
  /** Reads the event of an entry, for example from a cache. Absent: the entry is parsed each time. */
  readonly eventOf?: ReadEntry;
  /** Rules of open runs, including those of earlier revisions. */
  readonly archive: RuleArchive;
  /** Time in milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
}

/** Dependencies for one lane event. Its ruleset is fixed, even if rules are saved meanwhile. */
export interface Needs extends Omit<InterpreterNeeds, "ruleset"> {
  readonly ruleset: Ruleset;
}

/** Event to be decided on, with the user state and the time that the decision uses. */
export interface AtHand {
  readonly event: AccountEvent;
  readonly entry: Entry;
  readonly memory: Memory;
  /** Reason why rules and bots are silent. Rules that interrupt run nevertheless. */
  readonly paused: string | undefined;
}

/** Returns the event that an entry stores. */
export function readEvent(entry: Entry, { eventOf: read = eventOf }: Needs): AccountEvent {
  return read(entry);
}

/** Returns the data that a run of `rule` may read. */
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

/** Returns the source of a rule to store with its open runs; empty if it was stored within the last day. */
export function sourceOf(rule: CompiledRule, { archive, now }: Needs): readonly RuleSource[] {
  const source = archive.toKeep(rule, now());
  return source === undefined ? [] : [source];
}
