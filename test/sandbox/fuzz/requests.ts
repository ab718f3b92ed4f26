import {
  type Arbitrary,
  array,
  constant,
  constantFrom,
  dictionary,
  integer,
  json,
  oneof,
  record,
  string,
  tuple,
  uint8Array,
} from "fast-check";
import { AREAS } from "../../../src/sandbox/areas.ts";
import type { Route } from "../../../src/sandbox/server/route.ts";

/** Ways to authenticate a request: first the valid ways, then the invalid ways. */
export const CREDENTIALS = [
  "oauth1",
  "oauth2",
  "bearer",
  "basic",
  "control",
  "signed",
  "none",
  "garbage",
  "broken-oauth",
] as const;
export type Credential = (typeof CREDENTIALS)[number];

/** Request with placeholders for ids of the sandbox's objects: `#n` in a text is the n-th known id. */
export interface Draft {
  /** Method and path of the request's route; a request to a missing path has none. */
  readonly route?: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly credential: Credential;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly type: string | undefined;
  readonly body: Buffer | undefined;
}

/** Returns the name of a route. */
export function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** Routes that the fuzz test leaves out: they add faults, move the clock by months or delete all objects. */
const LEFT_OUT = new Set([
  "POST /_sandbox/reset",
  "PUT /_sandbox/state",
  "POST /_sandbox/faults",
  "POST /_sandbox/clock",
  "PATCH /_sandbox/settings",
  // These responses are endless streams.
  "GET /_sandbox/events",
  "GET /2/posts/search/stream",
  "GET /2/activity/stream",
  // These requests revoke the credentials that the fuzz test uses.
  "PATCH /_sandbox/apps/:id",
  "POST /_sandbox/apps/:id/credentials",
  "DELETE /_sandbox/users/:id/apps/:app_id",
  "POST /1.1/oauth/invalidate_token",
  "POST /1.1/oauth/invalidate_token.json",
  "POST /oauth2/invalidate_token",
  "POST /2/oauth2/revoke",
]);

export const ROUTES = AREAS.flatMap(({ routes }) => routes).filter(
  (route) => !LEFT_OUT.has(nameOf(route)),
);

const knownId = integer({ min: 0, max: 19 }).map((n) => `#${n}#`);
const nasty = constantFrom(
  "%",
  "%zz",
  "%00",
  "%ff%fe",
  "%F0%9F%98%80",
  "..",
  "__proto__",
  "constructor",
  "-1",
  "0",
  "1e309",
  "9".repeat(40),
  "9223372036854775808",
  "NaN",
  "null",
  "true",
  "a".repeat(6_000),
  "\u00e9",
  "'\"<>",
  "1-2",
  "2026-01-01T00:00:00Z",
  "202601010000",
);
const segment = oneof(
  { weight: 6, arbitrary: knownId },
  { weight: 1, arbitrary: nasty },
  { weight: 1, arbitrary: string({ maxLength: 20 }).map(encodeURIComponent) },
);

const NAMES = `
  post.fields tweet.fields user.fields expansions media.fields poll.fields place.fields
  dm_event.fields list.fields space.fields topic.fields user_ids state event_types max_results pagination_token next_token ids id usernames query
  start_time end_time since_id until_id sort_order exclude from_date to_date oauth_token
  oauth_verifier oauth_callback client_id redirect_uri response_type scope state
  code_challenge code_challenge_method grant_type code code_verifier refresh_token count
  cursor sort_by with_deleted with_total_count app_event_tag_ids app_list_ids app_id
  conversion_time conversion_type hashed_device_id os_type click_window view_through_window
  price_micro app_store_identifier provider_app_event_id provider_app_event_name media_id
  command segment_index media_category media_type total_bytes username after email
  include_email skip_status force_login url __proto__ status screen_name user_id q max_id until
  tweet_mode trim_user include_rts map resources attachment_url in_reply_to_status_id media_ids
  target_screen_name target_id source_id stringify_ids list_id
`
  .trim()
  .split(/\s+/);
const KEYS = `
  text post_id tweet_id target_user_id reply in_reply_to_post_id media media_ids poll
  options duration_minutes geo place_id quote_post_id hidden conversation_type
  participant_ids message attachments media_id webhook_id from_date to_date url type to
  user_id name plan username target app_id kind do permission_level callback_urls id
  alt_text metadata media_data account_id status time position decision password session
  event message_create recipient_id message_data attachment
  reply_settings edit_options project_id list_id folder_id name private
`
  .trim()
  .split(/\s+/);

const value = oneof(
  knownId,
  nasty,
  string({ maxLength: 12 }),
  constantFrom("1", "10", "100", "id"),
);
const query = array(
  tuple(
    oneof({ weight: 8, arbitrary: constantFrom(...NAMES) }, { weight: 1, arbitrary: string() }),
    value,
  ),
  { maxLength: 5 },
);

const likely = oneof(value, integer(), constantFrom(null, true, [], {}, 1e300), array(knownId));
const shaped = dictionary(
  constantFrom(...KEYS),
  oneof(
    { weight: 4, arbitrary: likely },
    dictionary(constantFrom(...KEYS), likely, { maxKeys: 3 }),
  ),
  { maxKeys: 5 },
).map((body) => JSON.stringify(body));
const deep = integer({ min: 100, max: 60_000 }).chain((depth) =>
  constantFrom(
    "[".repeat(depth) + "]".repeat(depth),
    '{"a":'.repeat(depth) + "1" + "}".repeat(depth),
  ),
);
const form = query.map((pairs) => new URLSearchParams(pairs).toString());
const multipart = tuple(query, uint8Array({ maxLength: 60 })).map(([pairs, bytes]) =>
  Buffer.concat([
    ...pairs.map(([name, text]) =>
      Buffer.from(`--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`),
    ),
    Buffer.from('--x\r\ncontent-disposition: form-data; name="media"; filename="a"\r\n\r\n'),
    bytes,
    Buffer.from("\r\n--x--\r\n"),
  ]),
);

const TYPES = ["application/json", "multipart/form-data", "text/plain", "", "x", "a/b;c=;;"];

/** Bodies with their content type; every fifth type does not fit the body. */
const body: Arbitrary<{ type: string | undefined; body: Buffer | undefined }> = oneof(
  { weight: 3, arbitrary: constant({ type: undefined, body: undefined }) },
  { weight: 8, arbitrary: typed(shaped, "application/json") },
  { weight: 3, arbitrary: typed(json(), "application/json") },
  { weight: 1, arbitrary: typed(deep, "application/json") },
  { weight: 1, arbitrary: typed(string(), "application/json; charset=utf-16") },
  { weight: 4, arbitrary: typed(form, "application/x-www-form-urlencoded") },
  { weight: 2, arbitrary: typed(multipart, "multipart/form-data; boundary=x") },
  { weight: 2, arbitrary: typed(uint8Array({ maxLength: 80 }), "multipart/form-data; boundary=x") },
  { weight: 2, arbitrary: typed(uint8Array({ maxLength: 80 }), "application/octet-stream") },
);

function typed(
  text: Arbitrary<string | Uint8Array>,
  type: string,
): Arbitrary<{ type: string; body: Buffer }> {
  const types = oneof(
    { weight: 5, arbitrary: constant(type) },
    { weight: 1, arbitrary: constantFrom(...TYPES) },
  );
  return record({ type: types, body: text.map((one) => Buffer.from(one)) });
}

const headers = oneof(
  { weight: 6, arbitrary: constant({}) },
  {
    weight: 1,
    arbitrary: constantFrom<Record<string, string | string[]>>(
      { "content-type": ["application/json", "text/plain"] },
      { authorization: ["Bearer a", "OAuth b"] },
      { "x-a": "b".repeat(8_000) },
      { cookie: "session=%zz; a; =; =b" },
      { host: "ads-api.example" },
      { host: "" },
      { "last-event-id": "-1", range: "bytes=0-", expect: "x" },
      { "accept-encoding": "gzip", te: "trailers", "content-encoding": "gzip" },
    ),
  },
);

const routePath = (route: Route): Arbitrary<string> => {
  const parts = route.path.split("/").map((part) => {
    if (part === ":file") return segment.map((id) => `${id}.json`);
    if (part === ":version") return constantFrom("12", "12", "12", "11", "x");
    return part.startsWith(":") ? segment : constant(part);
  });
  return tuple(...parts).map((filled) => filled.join("/"));
};

const route = constantFrom(...ROUTES);
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND"];

/** Generates credentials: in three of four cases of a kind that the route accepts, otherwise of any kind. */
const credentialOf = ({ auth }: Route): Arbitrary<Credential> => {
  const own = CREDENTIALS.filter((kind) => auth.some((one) => one === kind));
  const any = constantFrom(...CREDENTIALS);
  return own.length === 0 ? any : oneof({ weight: 3, arbitrary: constantFrom(...own) }, any);
};

/** The only body with which the route `/oauth2/token` does not answer 403, as it does to a forbidden request. */
const APP_TOKEN = constant({
  type: "application/x-www-form-urlencoded",
  body: Buffer.from("grant_type=client_credentials"),
});

const bodyOf = ({ path }: Route): typeof body =>
  path === "/oauth2/token" ? oneof(body, APP_TOKEN) : body;

const routed: Arbitrary<Draft> = route.chain((endpoint) =>
  record({
    route: constant<string | undefined>(nameOf(endpoint)),
    method: oneof(
      { weight: 12, arbitrary: constant<string>(endpoint.method) },
      constantFrom(...METHODS),
    ),
    path: routePath(endpoint),
    query,
    credential: credentialOf(endpoint),
    headers,
    typed: bodyOf(endpoint),
  }).map(({ typed: { type, body: bytes }, ...rest }) => ({ ...rest, type, body: bytes })),
);

const lost: Arbitrary<Draft> = record({
  method: constantFrom(...METHODS),
  path: oneof(
    array(segment, { maxLength: 7 }).map((parts) => `/2/${parts.join("/")}`),
    array(segment, { maxLength: 7 }).map((parts) => `/${parts.join("//")}`),
    constantFrom("//", "/2", "/ads", "/ads/", "/_sandbox", "/1.1/", "/oauth", "/2/../2/users"),
  ),
  query,
  credential: constantFrom(...CREDENTIALS),
  headers,
  typed: body,
}).map(({ typed: { type, body: bytes }, ...rest }) => ({ ...rest, type, body: bytes }));

export const request: Arbitrary<Draft> = oneof(
  { weight: 9, arbitrary: routed },
  { weight: 1, arbitrary: lost },
);
