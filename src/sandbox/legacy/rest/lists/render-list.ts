import { users } from "../../../model/accounts.ts";
import { dateText, wireInt } from "../../../rendering/events/wire.ts";
import { type ListRow, listTieKey, listTies } from "../../../model/lists.ts";
import { personInStatus } from "../render-status.ts";
import { slugOf } from "./find-list.ts";
import type { StatusView } from "../status-view.ts";

/** Renders a list of people as version 1.1 does, in the key order of recorded responses. */
export function renderLegacyList(view: StatusView, list: ListRow): object {
  const { world, viewer } = view;
  const ties = listTies.in(world);
  const owner = users.in(world).get(list.ownerId);
  const slug = slugOf(list);
  const name = owner?.username ?? "";
  const follows = (id: string): boolean =>
    ties.get(listTieKey("follower", list.id, id)) !== undefined;
  return {
    id: wireInt(list.id),
    id_str: list.id,
    name: list.name,
    uri: `/${name}/lists/${slug}`,
    subscriber_count: ties.count("list", `follower:${list.id}`),
    member_count: ties.count("list", `member:${list.id}`),
    mode: list.private ? "private" : "public",
    description: list.description,
    slug,
    full_name: `@${name}/${slug}`,
    created_at: dateText(list.at),
    following: viewer !== undefined && follows(viewer),
    user: owner === undefined ? null : personInStatus(view, owner),
  };
}
