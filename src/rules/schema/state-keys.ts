import type { AccountEvent } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import { counterpartOf } from "../../events/kinds/kinds.ts";

/** Owners of user state: a stored value belongs to one person, one conversation or one bot account. */
export const STATE_OWNERS = ["sender", "conversation", "account"] as const;
/** Owner of a value of user state: a person, a conversation or a bot account. */
export type StateOwner = (typeof STATE_OWNERS)[number];

/** Scopes of counts, limits and cooldowns: the owners of state, or the whole rule. */
export type StatePer = StateOwner | "rule";

/** Value of user state that a rule reads or writes. */
export type StateUse =
  /** Value that rules read as `state.sender.NAME`, `state.conversation.NAME` or `state.account.NAME`. */
  | {
      readonly kind: "value";
      readonly of: StateOwner;
      readonly name: string;
      /** Default value, which rules read until a value is stored. */
      readonly default?: Json;
    }
  /** `sender.labels`. */
  | { readonly kind: "labels" }
  /** `sender.is_new`: the event by which the bot first met the person. */
  | { readonly kind: "met" }
  /** Named count of the step `count`. */
  | { readonly kind: "count"; readonly name: string; readonly per: StateOwner };

/** Returns the key under which the value of `use` is stored, for the sender, conversation or account of an event. */
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

/** Returns the key of a person's opt-out from an account. */
export function optOutKey(account: string, person: string): string {
  return `opt-out/${account}/person/${person}`;
}

/** Returns the key of the time of a rule's last run, for `cooldown`. All revisions of the rule share the key. */
export function cooldownKey(ruleId: string, per: StatePer, event: AccountEvent): string {
  return within(`cooldown/${ruleId}`, per, event);
}

/** Returns the key under which the times of a rule's recent runs are stored, for the rule's rate limit (`limit`). */
export function limitKey(ruleId: string, per: StatePer, event: AccountEvent): string {
  return within(`limit/${ruleId}`, per, event);
}

/**
 * Returns the name of a run's slot: the place that the run takes under its rule's concurrency limit. Runs of a rule
 * with the same `key` share a slot; without `key`, the runs for one sender. The store derives the holders of a slot
 * from the open runs.
 */
export function slotName(ruleId: string, key: string | undefined, event: AccountEvent): string {
  return `${SLOT}${ruleId}/${key === undefined ? ownerOf("sender", event) : `key/${key}`}`;
}

/** Returns the former name of a concurrency slot whose rule was renamed from `former` to `ruleId`. */
export function formerSlotName(slot: string, ruleId: string, former: string): string {
  return `${SLOT}${former}${slot.slice(SLOT.length + ruleId.length)}`;
}

/** Returns whether a state key is the name of a concurrency slot. */
export function isSlot(key: string): boolean {
  return key.startsWith(SLOT);
}

const SLOT = "slot/";

/** Returns the key of the time of the last escalation that a rule's limit caused (`overflow: escalate`). */
export function overflowKey(ruleId: string, per: StatePer, event: AccountEvent): string {
  return within(`overflow/${ruleId}`, per, event);
}

/**
 * Returns the key of a count.
 *
 * @param text The count's `key`: each text is counted separately. Absent for a count without `key`.
 */
export function countKey(
  name: string,
  per: StateOwner,
  event: AccountEvent,
  text?: string,
): string {
  const key = within(`${COUNT}${name}`, per, event);
  // encoded, so that a `/` in the text can't separate parts of the key or make the text look like a person's id
  const part = text?.replaceAll(/\p{Surrogate}/gu, "\u{fffd}");
  return part === undefined ? key : `${key}/text/~${encodeURIComponent(part)}`;
}

/** Prefix of the keys of counts; no other key has it. */
export const COUNT = "count/";

function within(key: string, per: StatePer, event: AccountEvent): string {
  return per === "rule" ? key : `${key}/${ownerOf(per, event)}`;
}

/** Returns the part of a key that names the owner. Erasure of a person finds the id between slashes or at the end. */
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
