import { emit } from "../activity/emit.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type Relation, tied, type TieKind, tieKey, ties, type User } from "./entities.ts";

/** What ends each relation, as events call it. */
const END = { follow: "unfollow", block: "unblock", mute: "unmute" } as const satisfies Record<
  Relation,
  string
>;

/** Begins a relation and tells of it; nothing new is told when it stands already. Gives the event's id. */
export function begin(sandbox: Sandbox, kind: Relation, from: User, to: User): string {
  const { world } = sandbox;
  const table = ties.in(world);
  if (tied(world, kind, from.id, to.id)) return world.ids.next();
  tie(sandbox, kind, from.id, to.id);
  if (kind === "follow") table.delete(tieKey("request", from.id, to.id));
  // Who blocks somebody follows them no longer, nor is followed by them.
  if (kind === "block") {
    for (const [one, other] of [
      [from.id, to.id],
      [to.id, from.id],
    ] as const) {
      table.delete(tieKey("follow", one, other));
      table.delete(tieKey("request", one, other));
    }
  }
  return emit(sandbox, { kind, by: from.id, to: to.id, involved: [from.id, to.id] });
}

/** Ends a relation and tells of it, where it stood. Gives the event's id. */
export function end(sandbox: Sandbox, kind: Relation, from: User, to: User): string {
  if (!ties.in(sandbox.world).delete(tieKey(kind, from.id, to.id))) return sandbox.world.ids.next();
  return emit(sandbox, { kind: END[kind], by: from.id, to: to.id, involved: [from.id, to.id] });
}

/** Puts a tie of any kind, telling nobody. */
export function tie({ world, time }: Sandbox, kind: TieKind, from: string, to: string): void {
  const table = ties.in(world);
  if (table.get(tieKey(kind, from, to)) !== undefined) return;
  table.put({ kind, seq: world.ids.next(), from, to, at: time.now() });
}

/** Takes a tie away, telling nobody. True where it stood. */
export function untie({ world }: Sandbox, kind: TieKind, from: string, to: string): boolean {
  return ties.in(world).delete(tieKey(kind, from, to));
}
