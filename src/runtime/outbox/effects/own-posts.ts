import type { CallOptions } from "../../../client/client.ts";
import type { ActingClient, Candidate, Effect, SearchWindow } from "./effect.ts";
import { DAY_MS, QUARTER_HOUR_MS } from "./effect.ts";

/** What a timeline shows of a post of the account's own. */
export interface OwnPost {
  readonly text: string;
  /** Id of the post that it is of that kind to. */
  readonly answers?: string;
  readonly quotes?: string;
  readonly reposts?: string;
}

/** The endpoint and the limits of everything that is published as a post. */
export const PUBLISHING = {
  endpoint: "POST /2/posts",
  budget: [
    { limit: 100, windowMs: QUARTER_HOUR_MS, per: "account" },
    { limit: 10_000, windowMs: DAY_MS, per: "app" },
  ],
} as const satisfies Pick<Effect<never>, "endpoint" | "budget">;

/** Where posts of the account's own are found again. */
export const READS_OWN_POSTS = {
  endpoint: "GET /2/users/:id/posts",
  budget: [{ limit: 900, windowMs: QUARTER_HOUR_MS, per: "account" }],
} as const satisfies Effect<never>["reads"];

/** The account's posts of the window that `fits` takes, oldest first. */
export async function findOwnPosts(
  client: ActingClient,
  account: string,
  { since, until }: SearchWindow,
  options: CallOptions | undefined,
  fits: (post: OwnPost) => boolean,
): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  const posts = client.timelines.posts(
    account,
    {
      postFields: ["created_at", "referenced_posts", "note_post"],
      startTime: wholeSecond(since),
      maxResults: 100,
    },
    options,
  );
  for await (const post of posts) {
    const at = Date.parse(post.created_at);
    if (at < since || at > until) continue;
    const shown: { text: string; answers?: string; quotes?: string; reposts?: string } = {
      text: post.note_post?.text ?? post.text,
    };
    for (const { type, id } of post.referenced_posts ?? []) {
      if (type === "replied_to") shown.answers = id;
      else if (type === "quoted") shown.quotes = id;
      else shown.reposts = id;
    }
    if (fits(shown)) found.push({ platformId: post.id, at });
  }
  return found.toReversed();
}

/** The platform takes whole seconds only. */
function wholeSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
