const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface TriggerFacts {
  /** Description of the trigger in one sentence. */
  readonly about: string;
  /** Kind of the events with this trigger. */
  readonly kind: string;
  /** Default maximum age of an event for rules, in milliseconds. Absent: any age. */
  readonly maxAgeMs?: number;
  /** Whether only the account itself can cause the trigger. */
  readonly alwaysOutbound?: true;
  /**
   * Whether the trigger comes from a rule (a count, schedule or search) or is for operators. Bots don't get such
   * triggers.
   */
  readonly ofRules?: true;
}

/**
 * Triggers and their properties.
 *
 * Maximum ages: a conversation deserves an answer even a day later, a like or a typing notice does not.
 */
export const TRIGGER_FACTS = {
  "dm.received": {
    about: "A person sends the account a message.",
    kind: "message",
    maxAgeMs: DAY_MS,
  },
  "dm.sent": {
    about: "The account sends a message, by a bot or by hand.",
    kind: "message",
    maxAgeMs: DAY_MS,
    alwaysOutbound: true,
  },
  "dm.typing": {
    about: "A person types a message to the account.",
    kind: "typing",
    maxAgeMs: HOUR_MS,
  },
  "dm.read": { about: "A person reads the account's messages.", kind: "read", maxAgeMs: HOUR_MS },
  "post.created": {
    about: "The account publishes a post.",
    kind: "post",
    maxAgeMs: DAY_MS,
    alwaysOutbound: true,
  },
  "post.mentioned": {
    about: "The author of a post typed the account's handle in it.",
    kind: "post",
    maxAgeMs: DAY_MS,
  },
  "post.replied": { about: "A post answers one of the account's.", kind: "post", maxAgeMs: DAY_MS },
  "post.quoted": { about: "A post quotes one of the account's.", kind: "post", maxAgeMs: DAY_MS },
  "post.found": {
    about: "A search finds a post of another person; the trigger names the query.",
    kind: "post",
    maxAgeMs: DAY_MS,
    ofRules: true,
  },
  "post.edited": {
    about: "A post that the bot has received is edited; starts only rules that list this trigger.",
    kind: "post",
    maxAgeMs: DAY_MS,
  },
  "post.reposted": {
    about: "A person reposts one of the account's posts.",
    kind: "post",
    maxAgeMs: HOUR_MS,
  },
  "post.liked": {
    about: "A person likes one of the account's posts.",
    kind: "like",
    maxAgeMs: HOUR_MS,
  },
  "post.deleted": { about: "A post is deleted.", kind: "post_deleted", maxAgeMs: HOUR_MS },
  "user.followed": { about: "A person follows the account.", kind: "relation", maxAgeMs: HOUR_MS },
  "user.unfollowed": {
    about: "A person no longer follows the account.",
    kind: "relation",
    maxAgeMs: HOUR_MS,
  },
  "user.blocked": { about: "The account blocks a person.", kind: "relation", maxAgeMs: HOUR_MS },
  "user.unblocked": {
    about: "The account unblocks a person.",
    kind: "relation",
    maxAgeMs: HOUR_MS,
  },
  "user.muted": { about: "The account mutes a person.", kind: "relation", maxAgeMs: HOUR_MS },
  "user.unmuted": { about: "The account unmutes a person.", kind: "relation", maxAgeMs: HOUR_MS },
  "account.authorization_revoked": {
    about: "The owner of the account revokes the app's authorization.",
    kind: "revoked",
  },
  "replay.finished": {
    about: "The platform has finished a replay that the bot asked for.",
    kind: "replay_finished",
  },
  "count.reached": { about: "The count of a step reaches a number.", kind: "count", ofRules: true },
  schedule: {
    about: "A time of the rule's schedule is reached.",
    kind: "schedule",
    maxAgeMs: HOUR_MS,
    ofRules: true,
  },
  "link.lost": {
    about: "Events of the account no longer arrive.",
    kind: "link_lost",
    maxAgeMs: DAY_MS,
    ofRules: true,
  },
  "link.restored": {
    about: "Events of the account arrive again.",
    kind: "link_restored",
    maxAgeMs: DAY_MS,
    ofRules: true,
  },
} as const satisfies Readonly<Record<string, TriggerFacts>>;

type Facts = typeof TRIGGER_FACTS;

/** Name of an account event in rules and bots. */
export type Trigger = keyof Facts;

/** All triggers. */
export const TRIGGERS: readonly Trigger[] = Object.keys(TRIGGER_FACTS).filter(isTrigger);

/** Triggers that only the account itself can cause. */
type OwnTrigger = {
  [T in Trigger]: Facts[T] extends { readonly alwaysOutbound: true } ? T : never;
}[Trigger];

/** Triggers that come from rules or are for operators. */
type RuleTrigger = {
  [T in Trigger]: Facts[T] extends { readonly ofRules: true } ? T : never;
}[Trigger];

/** Triggers for bots: all except the account's own actions, and those of rules. */
export type InboundTrigger = Exclude<Trigger, OwnTrigger | RuleTrigger>;

/** Every {@link InboundTrigger}. */
export const INBOUND_TRIGGERS: readonly InboundTrigger[] = TRIGGERS.filter(isForBots);

/** Default maximum age of events with `trigger` for rules, in milliseconds; `Infinity` for any age. */
export function maxAgeMsOf(trigger: Trigger): number {
  const facts: TriggerFacts = TRIGGER_FACTS[trigger];
  return facts.maxAgeMs ?? Infinity;
}

/** Returns the maximum age of a bot's events in milliseconds. The default is that of the trigger, as for rules. */
export function maxAgeOfBot(
  { maxAgeMs }: { readonly maxAgeMs?: number | "none" },
  trigger: Trigger,
): number {
  return maxAgeMs === "none" ? Infinity : (maxAgeMs ?? maxAgeMsOf(trigger));
}

/** Description of `trigger` in one sentence. */
export function aboutTrigger(trigger: Trigger): string {
  return TRIGGER_FACTS[trigger].about;
}

/** Whether `word` is the name of a trigger. */
export function isTrigger(word: string): word is Trigger {
  return Object.hasOwn(TRIGGER_FACTS, word);
}

/** Whether anyone other than the account can cause `trigger`. */
export function isInbound(trigger: Trigger): boolean {
  const facts: TriggerFacts = TRIGGER_FACTS[trigger];
  return facts.alwaysOutbound !== true;
}

function isForBots(trigger: Trigger): trigger is InboundTrigger {
  const facts: TriggerFacts = TRIGGER_FACTS[trigger];
  return isInbound(trigger) && facts.ofRules !== true;
}
