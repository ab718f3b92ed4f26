import { z } from "zod";
import { ADS_COUNT, ADS_IDS_PER_REQUEST } from "../interface/limits.ts";
import { UsageError } from "../errors.ts";
import { checked } from "./answer.ts";
import type { Caller, CallOptions } from "./caller.ts";
import type { Endpoint } from "./endpoint.ts";
import { paged, type Paged } from "./paging.ts";
import type { Params } from "./request.ts";

/** What every advertising list takes. */
export interface AdsListParams {
  /** From 1 to 1000; default 200. */
  readonly count?: number | undefined;
  /** `next_cursor` of an earlier page; not with `withTotalCount`. */
  readonly cursor?: string | undefined;
  /** `<attribute>-asc` or `<attribute>-desc`. */
  readonly sortBy?: `${string}-asc` | `${string}-desc` | undefined;
  /** Deleted ones too. */
  readonly withDeleted?: boolean | undefined;
  /** Adds `total_count`; has a lower rate limit, and goes with no `cursor`. */
  readonly withTotalCount?: boolean | undefined;
}

/** One page of an advertising list. */
export interface AdsPage<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
  readonly total_count: number | undefined;
}

/**
 * The query of a list.
 *
 * @throws UsageError for what the platform would refuse.
 */
export function adsListParams(params: AdsListParams, ids: readonly string[] | undefined): Params {
  const { count, cursor, withTotalCount } = params;
  if (withTotalCount === true && cursor !== undefined) {
    throw new UsageError("withTotalCount and cursor exclude each other", {
      hint: "Ask for the total with the first page only.",
    });
  }
  if (count !== undefined && (count < ADS_COUNT.min || count > ADS_COUNT.max)) {
    throw new UsageError(`count is ${count}; it goes from ${ADS_COUNT.min} to ${ADS_COUNT.max}`);
  }
  if (ids !== undefined && ids.length > ADS_IDS_PER_REQUEST) {
    throw new UsageError(`${ids.length} ids in one request; ${ADS_IDS_PER_REQUEST} at most`);
  }
  return {
    count,
    cursor,
    sort_by: params.sortBy,
    with_deleted: params.withDeleted,
    with_total_count: withTotalCount,
  };
}

/** Reads an advertising list cursor by cursor; the total is asked for with the first page only. */
export function adsPages<Item>(
  caller: Caller,
  endpoint: Endpoint,
  path: Readonly<Record<string, string>>,
  query: Params,
  item: z.ZodType<Item>,
  options: CallOptions | undefined,
): Paged<Item, AdsPage<Item>> {
  const schema = z.object({
    data: z.array(item),
    next_cursor: z.string().nullish(),
    total_count: z.number().optional(),
  });
  return paged<Item, AdsPage<Item>>(
    async (cursor) => {
      const more = cursor === undefined ? {} : { cursor, with_total_count: undefined };
      const answer = await caller.call(endpoint, { path, query: { ...query, ...more } }, options);
      const {
        data,
        next_cursor: next,
        total_count,
      } = checked(answer, answer.body, schema, "answer");
      const page = { data, next_cursor: next ?? null, total_count };
      return { page, next: next ?? undefined, answer };
    },
    (page) => page.data,
  );
}
