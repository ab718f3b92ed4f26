import type { SandboxOptions } from "../../../src/sandbox/index.ts";
import { startTestSandbox, type TestSandbox, type ApiResponse } from "./test-sandbox.ts";

type Wire = Record<string, unknown>;

/** Response of version 2 of the API, loosely typed: tests check its shape. */
export interface DataResponse {
  readonly status: number;
  readonly data: Wire & Wire[];
  readonly includes: Record<string, Wire[]>;
  readonly errors: Wire[];
  readonly meta: Wire;
  readonly body: Wire;
}

/** Test sandbox without rate limits, with functions that write and read as its people. */
export interface DataSandbox extends TestSandbox {
  /** Returns the id of a user by name. */
  user(name: string): Promise<string>;
  /** Posts as a user by version 2 of the API; returns the id. */
  post(userId: string, text: string, more?: Wire): Promise<string>;
  /** Reads as the app alone, or as a user. */
  get(path: string, userId?: string): Promise<DataResponse>;
  /** Sends any request as a user. */
  as(userId: string, method: string, path: string, body?: unknown): Promise<DataResponse>;
}

export async function startDataSandbox(
  options: SandboxOptions = {},
  appSpec: Record<string, unknown> = {},
): Promise<DataSandbox> {
  const fixture = await startTestSandbox(
    { ...options, settings: { limits: { enabled: false } } },
    appSpec,
  );
  const as: DataSandbox["as"] = async (userId, method, path, body) =>
    dataResponse(await fixture.asUser(userId, method, path, body));
  return {
    ...fixture,
    as,
    user: (name) => fixture.sandbox.control.user(name),
    async post(userId, text, more = {}) {
      const response = await as(userId, "POST", "/2/posts", { text, ...more });
      if (response.status !== 201) throw new Error(JSON.stringify(response.body));
      return String(response.data["id"]);
    },
    get: async (path, userId) =>
      userId === undefined
        ? dataResponse(await fixture.asApp("GET", path))
        : as(userId, "GET", path),
  };
}

function dataResponse({ status, body }: ApiResponse): DataResponse {
  const { data, includes, errors, meta } = body as unknown as DataResponse;
  return { status, data, includes, errors, meta, body };
}

/** Returns the ids of the objects in a response's list, in order; none without a list. */
export function idsOf({ data }: DataResponse): unknown[] {
  const rows: unknown = data;
  return Array.isArray(rows) ? rows.map((row: Wire) => row["id"]) : [];
}

/** Names that differ between the two dialects (`post`, `tweet`), for tests that run in each dialect. */
export const DIALECT_WORDS = [
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
