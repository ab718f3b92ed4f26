import type { AccountEvent } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import { counterpartOf } from "../../events/kinds/kinds.ts";

/** Whose a value of user state is. */
export const STATE_OWNERS = ["sender", "conversation", "account"] as const;
/** One of {@link STATE_OWNERS}. */
export type StateOwner = (typeof STATE_OWNERS)[number];

/** What rules count, limit or hold back together: the owners of state, or all that a rule does. */
export type StatePer = StateOwner | "rule";

/** A value of user state that a rule reads or writes. */
export type StateUse =
  /** `state.sender.NAME`. */
  | {
      readonly kind: "value";
      readonly of: StateOwner;
      readonly name: string;
      /** Value that rules read as long as none is kept. */
      readonly default?: Json;
    }
  /** `sender.labels`. */
  | { readonly kind: "labels" }
  /** `sender.is_new`: the event with which the person was first met. */
  | { readonly kind: "met" }
  /** What the step `count` counts under a name. */
  | { readonly kind: "count"; readonly name: string; readonly per: StateOwner };

/** Under which key the value of `use` is kept for an event. */
export function keyOf(use: StateUse, event: AccountEvent): string {
  switch (use.kind) {
    case "value":
      return `state/${ownerOf(use.of, event)}/${use.name}`;
    case "labels":
      return `labels/${ownerOf("sender", event)}`;
    case "met":
      return `met/${ownerOf("sender", event)}`;
    case "count":
      return countKey(use.name, use.per, event);
  }
}

/** Under which key is kept that a person has opted out of what an account says. */
export function optOutKey(account: string, person: string): string {
  return `opt-out/${account}/person/${person}`;
}

/** Under which key the time of a rule's last run is kept. The rule's id is in it, its revision is not. */
export function cooldownKey(ruleId: string, per: StatePer, event: AccountEvent): string {
  return within(`cooldown/${ruleId}`, per, event);
}

/** Under which key the times are kept at which a rule ran, for its limit. */
export function limitKey(ruleId: string, per: StatePer, event: AccountEvent): string {
  return within(`limit/${ruleId}`, per, event);
}

/**
 * Name of the slot that runs of a rule share whose key is the same; the sender's, where it has none. It is read like
 * user state, but the store knows by its runs who holds it.
 */
export function slotName(ruleId: string, key: string | undefined, event: AccountEvent): string {
  return `${SLOT}${ruleId}/${key === undefined ? ownerOf("sender", event) : `key/${key}`}`;
}

/** The name that a slot of `ruleId` had when the rule was called `former`. */
export function formerSlotName(slot: string, ruleId: string, former: string): string {
  return `${SLOT}${former}${slot.slice(SLOT.length + ruleId.length)}`;
}

/** Whether a key names a slot. */
export function isSlot(key: string): boolean {
  return key.startsWith(SLOT);
}

const SLOT = "slot/";

/** Under which key is kept that people were told of a rule's limit. */
export function overflowKey(ruleId: string, per: StatePer, event: AccountEvent): string {
  return within(`overflow/${ruleId}`, per, event);
}

/**
 * Under which key is kept what `count` counts.
 *
 * @param text What is counted for itself; absent where the count has no key.
 */
export function countKey(
  name: string,
  per: StateOwner,
  event: AccountEvent,
  text?: string,
): string {
  const key = within(`${COUNT}${name}`, per, event);
  // a text can't stand for a part of the key, nor for a person
  const part = text?.replaceAll(/\p{Surrogate}/gu, "\u{fffd}");
  return part === undefined ? key : `${key}/text/~${encodeURIComponent(part)}`;
}

/** Beginning of the keys of counts, and of no others. */
export const COUNT = "count/";

function within(key: string, per: StatePer, event: AccountEvent): string {
  return per === "rule" ? key : `${key}/${ownerOf(per, event)}`;
}

/** A person's part of a key has their id between slashes or at the end: by that a person is forgotten. */
function ownerOf(owner: StateOwner, event: AccountEvent): string {
  const { accountId, lane } = event;
  switch (owner) {
    case "account":
      return accountId;
    case "sender":
      return `${accountId}/person/${counterpartOf(event) ?? "-"}`;
    case "conversation":
      return `${accountId}/lane/${lane}`;
  }
}
