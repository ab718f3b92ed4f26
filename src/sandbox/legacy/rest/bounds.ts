import type { ListBounds } from "../../posts/reading/paged-posts.ts";
import type { LegacyParameters } from "./parameters.ts";

/** `since_id` is left out of the list, `max_id` is in it. */
export function boundsOf(given: LegacyParameters): ListBounds {
  const maxId = given.id("max_id");
  return {
    sinceId: given.id("since_id"),
    untilId: maxId === undefined ? undefined : String(BigInt(maxId) + 1n),
  };
}
