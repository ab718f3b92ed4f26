import { z } from "zod";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { APP, type Endpoints } from "../http/endpoint.ts";
import { paged, type Paged } from "../reading/paging.ts";
import { checkedPart, dataOf } from "../reading/response.ts";

const Connection = z.object({
  id: z.string(),
  endpoint_name: z.string(),
  client_ip: z.string().optional(),
  connected_at: z.string().optional(),
  disconnected_at: z.string().optional(),
  disconnect_reason: z.string().optional(),
});
const Connections = z.object({
  data: z.array(Connection).default([]),
  meta: z.object({ result_count: z.number().default(0), next_token: z.string().optional() }),
});
const Ended = z.object({
  successful_kills: z.number(),
  failed_kills: z.number(),
  results: z
    .array(
      z.object({ uuid: z.string(), success: z.boolean(), error_message: z.string().optional() }),
    )
    .default([]),
});

/** Connection of a stream of the app; times in ISO 8601. `disconnected_at` and its reason are absent while it is open. */
export type StreamConnection = z.infer<typeof Connection>;

/** Page of connections, newest first. */
export type ConnectionPage = z.infer<typeof Connections>;

/** Result of ending connections. `uuid` is the id of a connection. */
export type EndedConnections = z.infer<typeof Ended>;

/** Filters of a list of connections. */
export interface ConnectionParams {
  /** State of the connections to list; default `active`. */
  readonly status?: "active" | "inactive" | "all" | undefined;
  /** Names of streams, such as `filtered_stream`; default all. */
  readonly endpoints?: readonly string[] | undefined;
  /** Size of a page, from 1 to 100; default 10. */
  readonly maxResults?: number | undefined;
  /** `meta.next_token` of an earlier page. */
  readonly paginationToken?: string | undefined;
}

/** Connections of the app's streams. All methods accept only the app's bearer token. */
export interface ConnectionsMethods {
  /**
   * Lists the connections, newest first.
   *
   * @example
   * const app = client.as({ type: "bearer", bearerToken: "…" });
   * for await (const { id, connected_at } of app.connections.list()) console.log(id, connected_at);
   */
  list(params?: ConnectionParams, options?: CallOptions): Paged<StreamConnection, ConnectionPage>;
  /** Ends up to 100 connections by id, for example one that a lost process has left open. */
  end(ids: readonly string[], options?: CallOptions): Promise<EndedConnections>;
  /** Ends all open connections. */
  endAll(options?: CallOptions): Promise<EndedConnections>;
  /** Ends the open connections of one stream, such as `filtered_stream`. */
  endStream(endpointId: string, options?: CallOptions): Promise<EndedConnections>;
}

/** Endpoints of the connection methods. */
export const CONNECTIONS = {
  list: { method: "GET", path: "/2/connections", takes: APP },
  end: { method: "DELETE", path: "/2/connections", takes: APP },
  endAll: { method: "DELETE", path: "/2/connections/all", takes: APP },
  endStream: { method: "DELETE", path: "/2/connections/:endpoint_id", takes: APP },
} as const satisfies Endpoints<ConnectionsMethods>;

/** Creates the methods of connections, which send their requests through `caller`. */
export function connections(caller: Caller): ConnectionsMethods {
  return {
    list: ({ status, endpoints, maxResults, paginationToken } = {}, options) =>
      paged<StreamConnection, ConnectionPage>(
        async (token = paginationToken) => {
          const query = { status, endpoints, max_results: maxResults, pagination_token: token };
          const answer = await caller.call(CONNECTIONS.list, { query }, options);
          const page = checkedPart(answer, answer.body, Connections, "answer");
          return { page, next: page.meta.next_token, answer };
        },
        ({ data }) => data,
      ),
    end: async (ids, options) =>
      dataOf(await caller.call(CONNECTIONS.end, { json: { uuids: ids } }, options), Ended),
    endAll: async (options) => dataOf(await caller.call(CONNECTIONS.endAll, {}, options), Ended),
    endStream: async (endpointId, options) => {
      const path = { endpoint_id: endpointId };
      return dataOf(await caller.call(CONNECTIONS.endStream, { path }, options), Ended);
    },
  };
}
