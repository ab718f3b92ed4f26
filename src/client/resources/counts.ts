import { z } from "zod";
import { checkedPart } from "../reading/response.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { APP, APP_OR_SCOPED, type Endpoint, type Endpoints } from "../http/endpoint.ts";
import { listQuery, type TimeWindow } from "../reading/list-params.ts";
import { paged, type Paged } from "../reading/paging.ts";

const Count = z.object({ start: z.string(), end: z.string(), post_count: z.number() });
const Counts = z.object({
  data: z.array(Count).default([]),
  meta: z.object({ total_post_count: z.number(), next_token: z.string().optional() }),
});

/** Number of matching posts in a span of time; `start` and `end` are in ISO 8601. */
export type PostCount = z.infer<typeof Count>;

/** A page of counts, earliest span first. */
export interface CountPage {
  readonly data: readonly PostCount[];
  /** `total_post_count` is the sum of this page. */
  readonly meta: { readonly total_post_count: number; readonly next_token?: string | undefined };
}

/** Query, window and granularity of a count. */
export interface CountParams extends TimeWindow {
  /** Search query, with the platform's search operators. */
  readonly query: string;
  /** Length of the counted spans; default an hour. */
  readonly granularity?: "minute" | "hour" | "day" | undefined;
  /** `meta.next_token` of an earlier page. */
  readonly paginationToken?: string | undefined;
}

/** Numbers of posts that match a search. */
export interface CountsMethods {
  /**
   * Counts the matching posts of the last seven days.
   *
   * @example
   * const { data, meta } = await client.counts.recent({ query: "answerback", granularity: "day" });
   * for (const { start, post_count } of data) console.log(start, post_count);
   * console.log(meta.total_post_count);
   */
  recent(params: CountParams, options?: CallOptions): Paged<PostCount, CountPage>;
  /**
   * Counts the matching posts of all time: one page for each 31 days, newest page first. The default window is the last
   * thirty days; set `startTime` or `sinceId` for another window. Accepts only the app's bearer token.
   *
   * @example
   * const app = client.as({ type: "bearer", bearerToken: "…" });
   * const counts = app.counts.all({ query: "answerback", startTime: "2026-01-01T00:00:00Z", granularity: "day" });
   * for await (const { start, post_count } of counts) console.log(start, post_count);
   */
  all(params: CountParams, options?: CallOptions): Paged<PostCount, CountPage>;
}

/** Endpoints of the count methods. */
export const COUNTS = {
  recent: { method: "GET", path: "/2/posts/counts/recent", takes: APP_OR_SCOPED },
  all: { method: "GET", path: "/2/posts/counts/all", takes: APP },
} as const satisfies Endpoints<CountsMethods>;

/** Creates the methods of counts, which send their requests through `caller`. */
export function counts(caller: Caller): CountsMethods {
  return { recent: counting(caller, COUNTS.recent), all: counting(caller, COUNTS.all) };
}

function counting(caller: Caller, endpoint: Endpoint): CountsMethods["recent"] {
  return ({ query, granularity, ...window }, options) =>
    paged<PostCount, CountPage>(
      async (token) => {
        const next = token === undefined ? {} : { pagination_token: token };
        const input = { query: { query, granularity, ...listQuery(window), ...next } };
        const answer = await caller.call(endpoint, input, options);
        const page = checkedPart(answer, answer.body, Counts, "answer");
        return { page, next: page.meta.next_token, answer };
      },
      ({ data }) => data,
    );
}
