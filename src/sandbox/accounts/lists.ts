import { pageOf, type Page, type Place, type Source } from "../fields/paging.ts";
import type { World } from "../kernel/world.ts";
import { type Tie, type TieKind, ties, type User, users } from "./entities.ts";
import { unseenUser } from "./visible.ts";

/** The users at one end of somebody's ties, the latest tie first. */
export function tiedUsers(
  world: World,
  { kind, side, userId }: { kind: TieKind; side: "from" | "to"; userId: string },
  size: number,
  place: Place | undefined,
): Page<User> {
  const table = ties.in(world);
  const value = `${kind}:${userId}`;
  const otherOf = (tie: Tie): string => (side === "from" ? tie.to : tie.from);
  const source: Source<Tie> = {
    down: (below) => table.down(side, value, below),
    up: (above) => table.up(side, value, above),
    orderOf: ({ seq }) => seq,
    keep: (tie) => unseenUser(users.in(world).get(otherOf(tie))) === undefined,
  };
  const page = pageOf(source, size, place);
  return { ...page, items: page.items.flatMap((tie) => users.in(world).get(otherOf(tie)) ?? []) };
}
