import * as z from "zod";
import { appOf } from "../auth/caller.ts";
import { Query } from "../data-query/query.ts";
import type { Connection } from "../kernel/delivery/open-streams.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { assumed } from "../kernel/ledger.ts";
import { compareIds } from "../kernel/world/ids.ts";
import { type PagedList, pageOf } from "../kernel/world/paging.ts";
import { NEW_POSTS } from "../model/posts.ts";
import { jsonInput } from "../server/input.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";

const app = {
  auth: ["bearer"],
  ledger: assumed("The live service's description. Only the filtered stream has connections here."),
} as const;

/** Routes that list and end the connections of an app's filtered stream. */
export const connectionRoutes: readonly Route[] = [
  { method: "GET", path: "/2/connections", ...app, limits: { app: 25 }, handle: listConnections },
  { method: "DELETE", path: "/2/connections", ...app, limits: { app: 25 }, handle: endByIds },
  {
    method: "DELETE",
    path: "/2/connections/all",
    ...app,
    limits: { app: 25 },
    handle: endAll,
  },
  {
    method: "DELETE",
    path: "/2/connections/:endpoint_id",
    ...app,
    limits: { app: 25 },
    handle: endOfEndpoint,
  },
];

const FILTERED_STREAM = "filtered_stream";
const OTHER_STREAMS = [
  "sample_stream",
  "sample10_stream",
  "firehose_stream",
  "tweets_compliance_stream",
  "users_compliance_stream",
  "tweet_label_stream",
  "firehose_stream_lang_en",
  "firehose_stream_lang_ja",
  "firehose_stream_lang_ko",
  "firehose_stream_lang_pt",
  "likes_firehose_stream",
  "likes_sample10_stream",
  "likes_compliance_stream",
] as const;
const ENDPOINTS = [FILTERED_STREAM, ...OTHER_STREAMS] as const;
const FIELDS = [
  "client_ip",
  "connected_at",
  "disconnect_reason",
  "disconnected_at",
  "endpoint_name",
  "id",
] as const;
const SIZES = { min: 1, max: 100, default: 10 };

function listConnections(call: RouteCall): RouteResponse {
  const query = new Query(call);
  const status = query.choice("status", ["active", "inactive", "all"]) ?? "active";
  const endpoints = query.choices("endpoints", ENDPOINTS);
  const fields = query.choices("connection.fields", FIELDS);
  const page = query.page(SIZES);
  query.finish();
  const isWanted = ({ disconnectedAt }: Connection): boolean =>
    status === "all" || (status === "active") === (disconnectedAt === undefined);
  const connections =
    endpoints.size > 0 && !endpoints.has(FILTERED_STREAM) ? [] : ofApp(call).filter(isWanted);
  const { items, next } = pageOf(listOf(connections), page);
  const meta = { result_count: items.length, ...(next !== undefined && { next_token: next }) };
  const data = items.map((one) => rendered(one, fields));
  return { body: { ...(data.length === 0 ? {} : { data }), meta } };
}

/** Creates a list for paging, from connections in the order in which they were opened. */
function listOf(connections: readonly Connection[]): PagedList<Connection> {
  const isAfter = (id: string, other: string): boolean => compareIds(id, other) > 0;
  return {
    descending: (below) =>
      connections.toReversed().filter(({ id }) => below === undefined || isAfter(below, id)),
    ascending: (above) => connections.filter(({ id }) => isAfter(id, above)),
    orderOf: ({ id }) => id,
  };
}

/** Returns the connections of the app's filtered stream in the order in which they were opened. */
function ofApp({ sandbox, caller }: RouteCall): readonly Connection[] {
  return sandbox.streams.connections(NEW_POSTS, appOf(caller).id);
}

function rendered(connection: Connection, fields: ReadonlySet<string>): object {
  const { id, connectedAt, disconnectedAt, reason } = connection;
  const whole = {
    id,
    endpoint_name: FILTERED_STREAM,
    client_ip: "127.0.0.1",
    connected_at: new Date(connectedAt).toISOString(),
    ...(disconnectedAt !== undefined && {
      disconnected_at: new Date(disconnectedAt).toISOString(),
      disconnect_reason: reason,
    }),
  };
  if (fields.size === 0) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => fields.has(name)));
}

const idsInput = z.strictObject({ uuids: z.array(z.string()).min(1).max(100) });

function endByIds(call: RouteCall): RouteResponse {
  const { uuids } = jsonInput(call, idsInput);
  return ended(call, uuids);
}

function endAll(call: RouteCall): RouteResponse {
  return ended(call, openIds(call));
}

function endOfEndpoint(call: RouteCall): RouteResponse {
  const name = call.params["endpoint_id"] ?? "";
  if (!ENDPOINTS.some((one) => one === name)) {
    const message = `The \`endpoint_id\` query parameter value [${name}] is not one of [${ENDPOINTS.join(",")}]`;
    throw ApiError.invalid([{ message, parameters: { endpoint_id: [name] } }]);
  }
  return ended(call, name === FILTERED_STREAM ? openIds(call) : []);
}

function openIds(call: RouteCall): readonly string[] {
  return ofApp(call).flatMap(({ id, disconnectedAt }) => (disconnectedAt === undefined ? id : []));
}

/** Ends connections of the app. Reports ids without an open connection as failed. */
function ended(call: RouteCall, ids: readonly string[]): RouteResponse {
  const streams = call.sandbox.streams.of(NEW_POSTS, appOf(call.caller).id);
  const results = ids.map((uuid) => {
    const stream = streams.find(({ id }) => id === uuid);
    stream?.end("terminated");
    if (stream !== undefined) return { uuid, success: true };
    return { uuid, success: false, error_message: "There is no open connection with this id." };
  });
  const successful = results.filter(({ success }) => success).length;
  const counts = { successful_kills: successful, failed_kills: results.length - successful };
  return { body: { data: { ...counts, results } } };
}
