import { stringifyEvent } from "../../rendering/events/wire.ts";
import { postInEvent } from "../../rendering/events/post.ts";
import { userInPost } from "../../rendering/events/user.ts";
import { withScheme } from "../../rendering/shown-text.ts";
import type { UserRow } from "../../model/accounts.ts";
import { ApiError } from "../../kernel/http/api-error.ts";
import type { RouteResponse, RouteCall } from "../../server/route.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { posts } from "../../model/posts.ts";

type Wire = Readonly<Record<string, unknown>>;

/**
 * Returns the user of the access token, as the user object of version 1.1.
 *
 * `include_entities` and `skip_status` change the object. The key `email` is present only if the request asks for it
 * and the app may read it. It is null for a user without an address.
 */
export function verifyCredentials({ sandbox, caller, query }: RouteCall): RouteResponse {
  if (caller.kind !== "oauth1") throw ApiError.unauthorized();
  const { app, user } = caller;
  const { world } = sandbox;
  const email = flag(query, "include_email") && app.email;
  const body = {
    ...userInPost(world, user),
    ...(flag(query, "include_entities", true) ? { entities: profileEntities(user) } : {}),
    ...(flag(query, "skip_status") ? {} : latestPost(world, user)),
    ...(email ? { email: user.email === "" ? null : user.email } : {}),
  };
  return {
    // Version 1.1 always writes `tweet`, never `post`.
    text: stringifyEvent(body, "tweet"),
    headers: { "content-type": "application/json; charset=utf-8" },
  };
}

function flag(query: URLSearchParams, name: string, fallback = false): boolean {
  const value = query.get(name);
  return value === null ? fallback : /^(true|t|1)$/i.test(value);
}

/** Returns the links of a profile in the form of version 1.1. */
export function profileEntities(user: UserRow): Wire {
  const url = user.profile["url"];
  const urls =
    typeof url === "string" && url !== ""
      ? [
          {
            url,
            expanded_url: withScheme(url),
            display_url: url.replace(/^https?:\/\//i, ""),
            indices: [0, url.length],
          },
        ]
      : [];
  return { ...(urls.length === 0 ? {} : { url: { urls } }), description: { urls: [] } };
}

function latestPost(world: SandboxWorld, user: UserRow): Wire {
  const latest = posts.in(world).where("author", user.id).at(-1);
  if (latest === undefined) return {};
  const facts = Object.entries(postInEvent(world, latest, user.id)).filter(
    ([name]) => name !== "user",
  );
  return { status: Object.fromEntries(facts) };
}
