import type { PagedList } from "../kernel/world/paging.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { type ListTieRow, listTies } from "../model/lists.ts";

/** What people are to a list, or lists to a person, the latest first. */
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
