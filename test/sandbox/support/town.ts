import type { SandboxOptions } from "../../../src/sandbox/index.ts";
import { stage, type Stage, type Told } from "./stage.ts";

type Wire = Record<string, unknown>;

/** An answer of the data interface, loosely typed: tests hold its shape. */
export interface Document {
  readonly status: number;
  readonly data: Wire & Wire[];
  readonly includes: Record<string, Wire[]>;
  readonly errors: Wire[];
  readonly meta: Wire;
  readonly body: Wire;
}

/** A stage without rate limits, whose people write and read. */
export interface Town extends Stage {
  /** A user by name. */
  user(name: string): Promise<string>;
  /** Posts as a user through the interface; gives the id. */
  post(userId: string, text: string, more?: Wire): Promise<string>;
  /** Reads as the app alone, or as a user. */
  get(path: string, userId?: string): Promise<Document>;
  /** Any request as a user. */
  as(userId: string, method: string, path: string, body?: unknown): Promise<Document>;
}

export async function town(
  options: SandboxOptions = {},
  appSpec: Record<string, unknown> = {},
): Promise<Town> {
  const at = await stage({ ...options, settings: { limits: { enabled: false } } }, appSpec);
  const as: Town["as"] = async (userId, method, path, body) =>
    document(await at.asUser(userId, method, path, body));
  return {
    ...at,
    as,
    user: (name) => at.sandbox.control.user(name),
    async post(userId, text, more = {}) {
      const made = await as(userId, "POST", "/2/posts", { text, ...more });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return String(made.data["id"]);
    },
    get: async (path, userId) =>
      userId === undefined ? document(await at.asApp("GET", path)) : as(userId, "GET", path),
  };
}

function document({ status, body }: Told): Document {
  const { data, includes, errors, meta } = body as unknown as Document;
  return { status, data, includes, errors, meta, body };
}

/** Ids of a list, in its order; none where the list is left out. */
export function idsOf({ data }: Document): unknown[] {
  const rows: unknown = data;
  return Array.isArray(rows) ? rows.map((row: Wire) => row["id"]) : [];
}

/** The words that differ between the dialects, for tables that run in both. */
export const SPOKEN = [
  {
    dialect: "post",
    fields: "post.fields",
    path: "/2/posts",
    posts: "posts",
    history: "edit_history_post_ids",
    references: "referenced_posts",
    reposts: "repost_count",
    note: "note_post",
    resource: "post",
  },
  {
    dialect: "tweet",
    fields: "tweet.fields",
    path: "/2/tweets",
    posts: "tweets",
    history: "edit_history_tweet_ids",
    references: "referenced_tweets",
    reposts: "retweet_count",
    note: "note_tweet",
    resource: "tweet",
  },
] as const;
