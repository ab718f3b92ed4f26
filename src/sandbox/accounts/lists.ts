import { pageOf, type ListPage, type PageRequest, type PagedList } from "../kernel/world/paging.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import {
  type RelationshipRow,
  type RelationshipKind,
  relationships,
  type UserRow,
  users,
} from "../model/accounts.ts";
import { hiddenUserReason } from "../model/hidden-reason.ts";

/** Returns a page of the users at the other end of a user's relationships, such as followers, latest first. */
export function relatedUsers(
  world: SandboxWorld,
  { kind, side, userId }: { kind: RelationshipKind; side: "from" | "to"; userId: string },
  request: PageRequest,
): ListPage<UserRow> {
  const table = relationships.in(world);
  const value = `${kind}:${userId}`;
  const otherOf = (relationship: RelationshipRow): string =>
    side === "from" ? relationship.to : relationship.from;
  const list: PagedList<RelationshipRow> = {
    descending: (below) => table.descending(side, value, below),
    ascending: (above) => table.ascending(side, value, above),
    orderOf: ({ seq }) => seq,
    keep: (relationship) =>
      hiddenUserReason(users.in(world).get(otherOf(relationship))) === undefined,
  };
  const page = pageOf(list, request);
  return {
    ...page,
    items: page.items.flatMap((relationship) => users.in(world).get(otherOf(relationship)) ?? []),
  };
}
