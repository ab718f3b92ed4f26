import { isListVisible } from "../../../model/hidden-reason.ts";
import { userOf } from "../../../auth/caller.ts";
import type { RouteCall } from "../../../server/route.ts";
import { type ListRow, lists } from "../../../model/lists.ts";
import { coded } from "../coded-errors.ts";
import { namedPerson } from "../find.ts";
import type { LegacyParameters } from "../parameters.ts";

/** Returns the name of a list in the form that URLs use: `My List!` becomes `my-list`. */
export function slugOf({ name }: ListRow): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
}

/**
 * Finds the list that a request names, by `list_id`, or by `slug` and its owner.
 *
 * @throws {ApiError} 404, code 34; 400, code 112, if the request names no list.
 */
export function namedList(call: RouteCall, params: LegacyParameters): ListRow {
  const { caller, sandbox } = call;
  const table = lists.in(sandbox.world);
  const id = params.id("list_id");
  const slug = params.text("slug");
  const owner = namedPerson(call, params, { id: "owner_id", name: "owner_screen_name" });
  if (id === undefined && (slug === undefined || owner === undefined)) throw coded("listUnnamed");
  const list =
    id === undefined
      ? table.where("owner", owner?.id ?? "").find((one) => slugOf(one) === slug?.toLowerCase())
      : table.get(id);
  const viewer = "user" in caller ? caller.user.id : undefined;
  if (list !== undefined && isListVisible({ world: sandbox.world, viewer }, list)) return list;
  throw coded("pageMissing");
}

/** Finds the caller's own list that a request names. @throws {ApiError} 403, code 104, for a list of another user. */
export function ownNamedList(call: RouteCall, params: LegacyParameters): ListRow {
  const list = namedList(call, params);
  if (list.ownerId !== userOf(call.caller).id) throw coded("notOwnList");
  return list;
}
