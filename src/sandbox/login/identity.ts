import { stringifyEvent } from "../activity/wire.ts";
import { postInEvent } from "../activity/render-post.ts";
import { userInPost } from "../activity/render-user.ts";
import type { User } from "../accounts/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Answer, Call } from "../kernel/route.ts";
import type { World } from "../kernel/world.ts";
import { posts } from "../posts/entities.ts";

type Wire = Readonly<Record<string, unknown>>;

/**
 * Who the access token speaks for, as the user object of version 1.1.
 *
 * `include_entities` and `skip_status` shape it. The key `email` is there only when it was asked
 * for and the app may see it; null where the user has none.
 */
export function verifyCredentials({ sandbox, caller, query, dialect }: Call): Answer {
  if (caller.kind !== "oauth1") throw Refusal.unauthorized();
  const { app, user } = caller;
  const { world } = sandbox;
  const email = flag(query, "include_email") && app.email;
  const body = {
    ...userInPost(world, user),
    ...(flag(query, "include_entities", true) ? { entities: entitiesOf(user) } : {}),
    ...(flag(query, "skip_status") ? {} : latestPost(world, user)),
    ...(email ? { email: user.email === "" ? null : user.email } : {}),
  };
  return {
    // Written here, not by the server: ids are whole numbers past what JavaScript's hold.
    text: stringifyEvent(body, dialect),
    headers: { "content-type": "application/json; charset=utf-8" },
  };
}

function flag(query: URLSearchParams, name: string, otherwise = false): boolean {
  const given = query.get(name);
  return given === null ? otherwise : /^(true|t|1)$/i.test(given);
}

function entitiesOf(user: User): Wire {
  const url = user.profile["url"];
  const urls =
    typeof url === "string" && url !== ""
      ? [
          {
            url,
            expanded_url: url,
            display_url: url.replace(/^https?:\/\//, ""),
            indices: [0, url.length],
          },
        ]
      : [];
  return { ...(urls.length === 0 ? {} : { url: { urls } }), description: { urls: [] } };
}

function latestPost(world: World, user: User): Wire {
  const latest = posts.in(world).where("author", user.id).at(-1);
  if (latest === undefined) return {};
  const facts = Object.entries(postInEvent(world, latest)).filter(([name]) => name !== "user");
  return { status: Object.fromEntries(facts) };
}
