import type { WireObject } from "../../rendering/selection.ts";
import type { UserRow } from "../../model/accounts.ts";
import { posts } from "../../model/posts.ts";
import { hiddenPostReason } from "../../model/hidden-reason.ts";
import { renderStatus, personInStatus } from "./render-status.ts";
import type { StatusView } from "./status-view.ts";

/** Renders a person as version 1.1 does, with their latest post if it is visible. */
export function renderPerson(view: StatusView, user: UserRow): WireObject {
  const { world, viewer } = view;
  const person = personInStatus(view, user);
  for (const latest of posts.in(world).descending("author", user.id)) {
    if (hiddenPostReason(world, viewer, latest) !== undefined) break;
    const { user: _author, ...status } = renderStatus(view, latest);
    return { ...person, status };
  }
  return person;
}
