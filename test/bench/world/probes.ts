import type { UserTokens } from "../../../src/sandbox/control/objects.ts";
import { signed, type TestSandbox } from "../../sandbox/support/test-sandbox.ts";

/** Ids and credentials of a small account in the small and the large world. Probes request its objects. */
export interface Corner {
  readonly app: TestSandbox["app"];
  readonly tokens: UserTokens;
  readonly bot: string;
  readonly person: string;
  readonly webhookId: string;
  readonly postId: string;
  readonly messageId: string;
}

/** A timed request. */
export interface Probe {
  readonly name: string;
  /**
   * Ratio (large to small world) to which the probe belongs. A `list` probe belongs to none: it returns more in the
   * large world.
   */
  readonly kind: "lookup" | "page" | "list";
  readonly as: "app" | "bot";
  path(corner: Corner): string;
}

const lookup = (name: string, as: Probe["as"], path: Probe["path"]): Probe => ({
  name,
  kind: "lookup",
  as,
  path,
});
const page = (name: string, as: Probe["as"], path: Probe["path"]): Probe => ({
  name,
  kind: "page",
  as,
  path,
});

const webhooks = "/2/account_activity/webhooks";

export const PROBES: readonly Probe[] = [
  lookup("user", "app", ({ bot }) => `/2/users/${bot}?user.fields=public_metrics,created_at`),
  lookup("user by name", "app", () => `/2/users/by/username/hello_bot`),
  lookup(
    "post",
    "app",
    ({ postId }) => `/2/posts/${postId}?post.fields=public_metrics,author_id&expansions=author_id`,
  ),
  lookup("message event", "bot", ({ messageId }) => `/2/dm_events/${messageId}`),
  lookup("subscription", "bot", ({ webhookId }) => `${webhooks}/${webhookId}/subscriptions/all`),
  lookup("webhooks", "app", () => "/2/webhooks"),
  page(
    "conversation",
    "bot",
    ({ person }) => `/2/dm_conversations/with/${person}/dm_events?max_results=100`,
  ),
  page("all messages", "bot", () => "/2/dm_events?max_results=100"),
  page("posts of a user", "app", ({ bot }) => `/2/users/${bot}/posts?max_results=100`),
  page("mentions", "app", ({ bot }) => `/2/users/${bot}/mentions?max_results=100`),
  page(
    "home timeline",
    "bot",
    ({ bot }) => `/2/users/${bot}/timelines/reverse_chronological?max_results=100`,
  ),
  page("search", "app", () => "/2/posts/search/recent?query=cornerstone&max_results=100"),
  page("followers", "app", ({ bot }) => `/2/users/${bot}/followers?max_results=100`),
  {
    name: "subscriptions, all 5,000",
    kind: "list",
    as: "app",
    path: ({ webhookId }) => `${webhooks}/${webhookId}/subscriptions/all/list`,
  },
  {
    name: "subscriptions, counted",
    kind: "list",
    as: "app",
    path: () => "/2/account_activity/subscriptions/count",
  },
];

/** Returns the milliseconds from the request to the response's last byte. */
export async function time(url: string, probe: Probe, corner: Corner): Promise<number> {
  const target = url + probe.path(corner);
  const authorization =
    probe.as === "app"
      ? `Bearer ${corner.app.bearer_token}`
      : signed(corner.app, corner.tokens, "GET", target);
  const started = performance.now();
  const answer = await fetch(target, { headers: { authorization } });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${probe.name}: ${answer.status} ${text}`);
  return performance.now() - started;
}
