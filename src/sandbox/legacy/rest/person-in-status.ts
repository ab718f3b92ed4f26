import { isRelated, type UserRow } from "../../model/accounts.ts";
import { userInPost } from "../../rendering/events/user.ts";
import { profileEntities } from "../../login/oauth1/verify-credentials.ts";
import type { StatusView } from "./status-view.ts";

type Wire = Record<string, unknown>;

/** A person as version 1.1 shows the author of a post. */
export function personInStatus({ world, viewer }: StatusView, user: UserRow): Wire {
  const to = (kind: "follow" | "request"): boolean | null =>
    viewer === undefined ? null : isRelated(world, kind, viewer, user.id);
  return {
    ...userInPost(world, user),
    entities: profileEntities(user),
    following: to("follow"),
    follow_request_sent: to("request"),
    notifications: viewer === undefined ? null : false,
  };
}
