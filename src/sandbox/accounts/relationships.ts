import { emit } from "../activity/emit.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import {
  type UserRelation,
  isRelated,
  type RelationshipKind,
  relationshipKey,
  relationships,
  type UserRow,
} from "../model/accounts.ts";

/** The event that ends each relation. */
const END_EVENT = {
  follow: "unfollow",
  block: "unblock",
  mute: "unmute",
} as const satisfies Record<UserRelation, string>;

/** Begins a relation and emits the event, unless it exists already. Returns the event's id. */
export function beginRelation(
  sandbox: Sandbox,
  kind: UserRelation,
  from: UserRow,
  to: UserRow,
): string {
  const { world } = sandbox;
  const table = relationships.in(world);
  if (isRelated(world, kind, from.id, to.id)) return world.ids.next();
  putRelationship(sandbox, kind, from.id, to.id);
  if (kind === "follow") table.delete(relationshipKey("request", from.id, to.id));
  // A block ends follows in both directions.
  if (kind === "block") {
    for (const [one, other] of [
      [from.id, to.id],
      [to.id, from.id],
    ] as const) {
      table.delete(relationshipKey("follow", one, other));
      table.delete(relationshipKey("request", one, other));
    }
  }
  return emit(sandbox, { kind, by: from.id, to: to.id, involved: [from.id, to.id] });
}

/** Ends a relation and emits the event, where it existed. Returns the event's id. */
export function endRelation(
  sandbox: Sandbox,
  kind: UserRelation,
  from: UserRow,
  to: UserRow,
): string {
  if (!relationships.in(sandbox.world).delete(relationshipKey(kind, from.id, to.id)))
    return sandbox.world.ids.next();
  return emit(sandbox, {
    kind: END_EVENT[kind],
    by: from.id,
    to: to.id,
    involved: [from.id, to.id],
  });
}

/** Stores a relationship of any kind without an event. */
export function putRelationship(
  { world, time }: Sandbox,
  kind: RelationshipKind,
  from: string,
  to: string,
): void {
  const table = relationships.in(world);
  if (table.get(relationshipKey(kind, from, to)) !== undefined) return;
  table.put({ kind, seq: world.ids.next(), from, to, at: time.now() });
}

/** Deletes a relationship without an event. True where it existed. */
export function removeRelationship(
  { world }: Sandbox,
  kind: RelationshipKind,
  from: string,
  to: string,
): boolean {
  return relationships.in(world).delete(relationshipKey(kind, from, to));
}
