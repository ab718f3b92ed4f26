import { isRelated, type UserRow } from "../model/accounts.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import {
  type ListRow,
  lists,
  type ListTieKind,
  listTieKey,
  listTies,
  type ListTieRow,
} from "../model/lists.ts";
import type { PagedList } from "../kernel/world/paging.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";

/** Name, description and visibility of a list. */
export interface ListDetails {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly private?: boolean | undefined;
}

export function createList(
  { world, time }: Sandbox,
  owner: UserRow,
  { name = "", description = "", private: isPrivate = false }: ListDetails,
): ListRow {
  const id = world.ids.next();
  const at = time.now();
  return lists.in(world).put({ id, ownerId: owner.id, name, description, private: isPrivate, at });
}

export function changeList({ world }: Sandbox, list: ListRow, changed: ListDetails): void {
  lists.in(world).put({
    ...list,
    name: changed.name ?? list.name,
    description: changed.description ?? list.description,
    private: changed.private ?? list.private,
  });
}

/** Deletes a list with its members, followers and pins. */
export function deleteList({ world }: Sandbox, { id }: ListRow): void {
  const table = listTies.in(world);
  for (const kind of ["member", "follower", "pin"] as const) {
    for (const tie of table.where("list", `${kind}:${id}`)) {
      table.delete(listTieKey(kind, id, tie.userId));
    }
  }
  lists.in(world).delete(id);
}

/**
 * Adds the people that are not members already.
 *
 * @throws {ApiError} 403 if one of them blocks the list's owner; then no person is added.
 */
export function addMembers(sandbox: Sandbox, list: ListRow, people: readonly UserRow[]): void {
  if (people.some(({ id }) => isRelated(sandbox.world, "block", id, list.ownerId))) {
    throw ApiError.forbidden("You aren't allowed to add members to this list.", { v1: 104 });
  }
  for (const { id } of people) beginListTie(sandbox, "member", list, id);
}

/** Makes a person a member or follower of a list, or pins the list for the person. A repeated call has no effect. */
export function beginListTie(
  { world, time }: Sandbox,
  kind: ListTieKind,
  { id: listId }: ListRow,
  userId: string,
): void {
  const table = listTies.in(world);
  if (table.get(listTieKey(kind, listId, userId)) !== undefined) return;
  table.put({ kind, seq: world.ids.next(), listId, userId, at: time.now() });
}

export function endListTie(
  { world }: Sandbox,
  kind: ListTieKind,
  listId: string,
  userId: string,
): void {
  listTies.in(world).delete(listTieKey(kind, listId, userId));
}

/** Returns the memberships, follows and pins (ties) of a list or of a person as a paged list, latest first. */
export function pagedTies(
  world: SandboxWorld,
  index: "list" | "user",
  value: string,
  keep: (tie: ListTieRow) => boolean,
): PagedList<ListTieRow> {
  const table = listTies.in(world);
  return {
    descending: (below) => table.descending(index, value, below),
    ascending: (above) => table.ascending(index, value, above),
    orderOf: ({ seq }) => seq,
    keep,
  };
}
