import type { Trigger } from "../events/event.ts";
import type { EventKind } from "./fields.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** What the language knows of a trigger beyond its name. */
export interface TriggerFacts {
  readonly kind: EventKind;
  /** How old an event may be before a rule leaves it, unless the rule says otherwise. Absent: any age. */
  readonly maxAgeMs?: number;
  /** The account itself always is the one who did it. */
  readonly alwaysOutbound?: true;
}

/** A conversation is still worth an answer a day later; a like or a typing notice is not. */
export const TRIGGER_FACTS: Readonly<Record<Trigger, TriggerFacts>> = {
  "dm.received": { kind: "message", maxAgeMs: DAY_MS },
  "dm.sent": { kind: "message", maxAgeMs: DAY_MS, alwaysOutbound: true },
  "dm.typing": { kind: "typing", maxAgeMs: HOUR_MS },
  "dm.read": { kind: "read", maxAgeMs: HOUR_MS },
  "post.created": { kind: "post", maxAgeMs: DAY_MS, alwaysOutbound: true },
  "post.mentioned": { kind: "post", maxAgeMs: DAY_MS },
  "post.replied": { kind: "post", maxAgeMs: DAY_MS },
  "post.quoted": { kind: "post", maxAgeMs: DAY_MS },
  "post.reposted": { kind: "post", maxAgeMs: HOUR_MS },
  "post.liked": { kind: "like", maxAgeMs: HOUR_MS },
  "post.deleted": { kind: "post_deleted", maxAgeMs: HOUR_MS },
  "user.followed": { kind: "relation", maxAgeMs: HOUR_MS },
  "user.unfollowed": { kind: "relation", maxAgeMs: HOUR_MS },
  "user.blocked": { kind: "relation", maxAgeMs: HOUR_MS },
  "user.unblocked": { kind: "relation", maxAgeMs: HOUR_MS },
  "user.muted": { kind: "relation", maxAgeMs: HOUR_MS },
  "user.unmuted": { kind: "relation", maxAgeMs: HOUR_MS },
  "account.authorization_revoked": { kind: "revoked" },
  "replay.finished": { kind: "replay_finished" },
};
