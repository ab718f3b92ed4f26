import { z } from "zod";
import { ADS_COUNT, ADS_IDS_PER_REQUEST } from "../../protocol/limits.ts";
import { UsageError } from "../../errors.ts";
import { type AdsRequest, adsRequestOf } from "./ads-result.ts";
import { checkedPart } from "./response.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { paged, type Paged } from "./paging.ts";
import type { Endpoint, Params } from "../http/endpoint.ts";

/** Parameters of every advertising list. */
export interface AdsListParams {
  /** Number of items on a page, from 1 to 1000; default 200. */
  readonly count?: number | undefined;
  /** `next_cursor` of an earlier page; not with `withTotalCount`. */
  readonly cursor?: string | undefined;
  /** Sort order, as `<attribute>-asc` or `<attribute>-desc`. */
  readonly sortBy?: `${string}-asc` | `${string}-desc` | undefined;
  /** Includes deleted items. */
  readonly withDeleted?: boolean | undefined;
  /** Adds `total_count`. Has a lower rate limit, and excludes `cursor`. */
  readonly withTotalCount?: boolean | undefined;
}

/** Page of an advertising list. */
export interface AdsPage<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
  readonly total_count: number | undefined;
  readonly request: AdsRequest;
}

/** Request of an advertising list: endpoint, account, parameters, and the filters by id. */
export interface AdsList<Item> {
  readonly endpoint: Endpoint;
  readonly accountId: string;
  readonly params: AdsListParams;
  readonly ids: Readonly<Record<string, readonly string[] | undefined>>;
  readonly item: z.ZodType<Item>;
}

/**
 * Returns the query parameters of an advertising list.
 *
 * @throws UsageError if the platform would refuse the parameters.
 */
function queryOf({ params, ids }: AdsList<unknown>): Params {
  const { count, cursor, withTotalCount } = params;
  if (withTotalCount === true && cursor !== undefined) {
    throw new UsageError("withTotalCount and cursor exclude each other", {
      hint: "ask for the total with the first page only",
    });
  }
  if (count !== undefined && (count < ADS_COUNT.min || count > ADS_COUNT.max)) {
    throw new UsageError(`count is ${count}; it goes from ${ADS_COUNT.min} to ${ADS_COUNT.max}`);
  }
  const many = Object.entries(ids).find(([, list]) => (list?.length ?? 0) > ADS_IDS_PER_REQUEST);
  if (many !== undefined) {
    throw new UsageError(
      `${many[0]} takes a maximum of ${ADS_IDS_PER_REQUEST} ids, not ${many[1]?.length}`,
    );
  }
  return {
    ...ids,
    count,
    cursor,
    sort_by: params.sortBy,
    with_deleted: params.withDeleted,
    with_total_count: withTotalCount,
  };
}

/** Reads an advertising list by cursor. Only the first page requests the total. */
export function adsPages<Item>(
  caller: Caller,
  list: AdsList<Item>,
  options: CallOptions | undefined,
): Paged<Item, AdsPage<Item>> {
  const schema = z.object({
    data: z.array(list.item),
    next_cursor: z.string().nullish(),
    total_count: z.number().optional(),
  });
  return paged<Item, AdsPage<Item>>(
    async (cursor) => {
      const more = cursor === undefined ? {} : { cursor, with_total_count: undefined };
      const input = { path: { account_id: list.accountId }, query: { ...queryOf(list), ...more } };
      const answer = await caller.call(list.endpoint, input, options);
      const page = checkedPart(answer, answer.body, schema, "answer");
      const next = page.next_cursor ?? null;
      const fields = { data: page.data, next_cursor: next, total_count: page.total_count };
      return {
        page: { ...fields, request: adsRequestOf(answer) },
        next: next ?? undefined,
        answer,
      };
    },
    (page) => page.data,
  );
}
