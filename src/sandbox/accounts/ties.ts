import { emit } from "../activity/emit.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type Relation, tieKey, ties, type User } from "./entities.ts";

/** What ends each relation, as events call it. */
const END = { follow: "unfollow", block: "unblock", mute: "unmute" } as const satisfies Record<
  Relation,
  string
>;

/** Begins a relation and tells of it; nothing new is told when it stands already. Gives the event's id. */
export function begin(sandbox: Sandbox, kind: Relation, from: User, to: User): string {
  const table = ties.in(sandbox.world);
  const standing = table.get(tieKey(kind, from.id, to.id)) !== undefined;
  if (!standing) table.put({ kind, from: from.id, to: to.id, at: sandbox.time.now() });
  // Who blocks somebody follows them no longer, nor is followed by them.
  if (kind === "block" && !standing) {
    table.delete(tieKey("follow", from.id, to.id));
    table.delete(tieKey("follow", to.id, from.id));
  }
  if (standing) return sandbox.world.ids.next();
  return emit(sandbox, { kind, by: from.id, to: to.id, involved: [from.id, to.id] });
}

/** Ends a relation and tells of it, where it stood. Gives the event's id. */
export function end(sandbox: Sandbox, kind: Relation, from: User, to: User): string {
  if (!ties.in(sandbox.world).delete(tieKey(kind, from.id, to.id))) return sandbox.world.ids.next();
  return emit(sandbox, { kind: END[kind], by: from.id, to: to.id, involved: [from.id, to.id] });
}
