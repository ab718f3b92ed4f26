import type { Item } from "../store/item.ts";
import type { Lease } from "../store/lease.ts";
import type { OpenItemQuery } from "../store/listings.ts";
import type { OutboxPort } from "../store/store.ts";

/** Maximum number of items that one query reads. */
const PAGE = 500;

/**
 * Yields all items with the status `status`, in the order of queueing, page by page.
 *
 * @param from Only items with a greater id are read.
 */
export async function* openItems(
  store: Pick<OutboxPort, "openItems">,
  leases: readonly Lease[],
  status: OpenItemQuery["status"],
  from = 0,
): AsyncGenerator<Item> {
  for (let after = from, more = true; more;) {
    const page = await store.openItems(leases, { status, after, limit: PAGE });
    yield* page;
    after = page.at(-1)?.id ?? after;
    more = page.length === PAGE;
  }
}
