import { ACCESS_LEVELS, type AccessLevel } from "../protocol/access.ts";
import { TRIGGER_FACTS, type Trigger } from "./triggers.ts";

/** Kinds of events about direct messages. */
const MESSAGE_KINDS: ReadonlySet<string> = new Set(["message", "typing", "read"]);

/** Lowest permission level of an app at which the platform delivers the events of a trigger. */
export function levelOfTrigger(trigger: Trigger): AccessLevel {
  return MESSAGE_KINDS.has(TRIGGER_FACTS[trigger].kind) ? "read-write-directmessages" : "read";
}

/** Whether `level` is `needed` or a higher permission level. */
export function suffices(level: AccessLevel, needed: AccessLevel): boolean {
  return ACCESS_LEVELS.indexOf(level) >= ACCESS_LEVELS.indexOf(needed);
}

/** Returns the highest of several levels; for an empty list, the lowest level. */
export function highestLevel(levels: readonly AccessLevel[]): AccessLevel {
  return ACCESS_LEVELS.findLast((level) => levels.includes(level)) ?? ACCESS_LEVELS[0];
}

/**
 * Returns the reason why a trigger never comes at a permission level; undefined if the platform delivers its events.
 */
export function whyLevelExcludes(
  level: AccessLevel,
  trigger: Trigger,
): { readonly message: string; readonly help: string } | undefined {
  const needed = levelOfTrigger(trigger);
  if (suffices(level, needed)) return undefined;
  return {
    message: `${trigger} never comes at the app's permission level, ${level}: it needs ${needed}`,
    help: raiseTo(needed),
  };
}

/** Returns the help text for a permission level that is too low. */
export function raiseTo(needed: AccessLevel): string {
  return `raise the app's level in the developer portal, write  permission_level: ${needed}  under app: in the settings, and run: answerback login`;
}
