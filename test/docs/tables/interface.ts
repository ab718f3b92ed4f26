import { ENDPOINTS, type EndpointName } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import type { Endpoint } from "../../../src/client/http/endpoint.ts";
import { TOPICS } from "../../../src/insight/reference/topics.ts";
import type { TopicKind } from "../../../src/insight/reference/topic.ts";
import { EVENT_KIND_NAMES } from "../../../src/events/kinds/kinds.ts";
import { jsonSchema, keysOf } from "../../../src/insight/reference/written.ts";
import { triggerMap } from "../../../src/rules/file-schema/rule-file.ts";
import { fieldsOf } from "../../../src/rules/schema/fields.ts";
import { METRICS } from "../../../src/runtime/telemetry/metric-table.ts";
import { AREAS } from "../../../src/sandbox/areas.ts";
import { table } from "../markdown.ts";

/** Method of a client, such as `dms.createGroup`. */
type ClientMethod = {
  [
    Resource in keyof typeof ENDPOINTS
  ]: `${Resource}.${keyof (typeof ENDPOINTS)[Resource] & string}`;
}[keyof typeof ENDPOINTS];

/**
 * Name in the rule language, such as `step: reply_dm` or `step: lookup.user` for a key of a step; or a method of the
 * client that bot modules get.
 */
type RuleWord =
  | `${TopicKind | "trigger key" | "field" | "metric"}: ${string}`
  | `bot: ctx.client.${ClientMethod}`;

interface InterfacePart {
  readonly about: string;
  /** Endpoints of this part of the platform's API. */
  readonly endpoints: readonly EndpointName[];
  /** Triggers, steps, settings and other names of the rule language that use these endpoints. */
  readonly rules: readonly RuleWord[];
}

const PARTS: readonly InterfacePart[] = [
  {
    about: "recent search, filtered stream",
    endpoints: [
      "GET /2/posts/search/recent",
      "GET /2/posts/search/stream",
      "POST /2/posts/search/stream/rules",
    ],
    rules: ["trigger: post.found", "setting: search"],
  },
  {
    about: "look-up of users and posts, with fields",
    endpoints: ["GET /2/users/:id", "GET /2/users/by/username/:username", "GET /2/posts/:id"],
    rules: [
      "step: lookup.user",
      "step: lookup.username",
      "step: lookup.post",
      "step: lookup.fields",
    ],
  },
  {
    about: "hiding, deleting and undoing",
    endpoints: [
      "PUT /2/posts/:id/hidden",
      "DELETE /2/posts/:id",
      "DELETE /2/dm_events/:event_id",
      "DELETE /2/users/:id/blocking/:target_user_id",
      "DELETE /2/users/:id/muting/:target_user_id",
      "DELETE /2/users/:id/likes/:post_id",
      "DELETE /2/users/:id/reposts/:post_id",
    ],
    rules: [
      "step: hide_reply",
      "step: unhide_reply",
      "step: delete_post",
      "step: delete_message",
      "step: unblock",
      "step: unmute",
      "step: unlike",
      "step: undo_repost",
    ],
  },
  {
    about: "group conversations",
    endpoints: [
      "POST /2/dm_conversations",
      "POST /2/dm_conversations/:dm_conversation_id/messages",
      "GET /2/dm_conversations/:dm_conversation_id/dm_events",
    ],
    rules: [
      "trigger key: in",
      "field: conversation.kind",
      "field: conversation.participants",
      "step: reply_dm",
      "bot: ctx.client.dms.createGroup",
    ],
  },
  {
    about: "conversions, attribution, event tags, app lists",
    endpoints: [
      "POST /conversion_event",
      "GET /conversion_attribution",
      "GET /accounts/:account_id/app_event_tags",
      "GET /accounts/:account_id/app_event_tags/:app_event_tag_id",
      "POST /accounts/:account_id/app_event_tags",
      "DELETE /accounts/:account_id/app_event_tags/:app_event_tag_id",
      "GET /accounts/:account_id/app_lists",
      "GET /accounts/:account_id/app_lists/:app_list_id",
    ],
    rules: [
      "step: report_conversion",
      "step: lookup.attribution",
      "bot: ctx.client.appEventTags.list",
      "bot: ctx.client.appEventTags.get",
      "bot: ctx.client.appEventTags.create",
      "bot: ctx.client.appEventTags.delete",
      "bot: ctx.client.appLists.list",
      "bot: ctx.client.appLists.get",
    ],
  },
  {
    about: "polls, reply settings, long posts",
    endpoints: ["POST /2/posts"],
    rules: [
      "step: create_post.poll",
      "step: create_post.reply_settings",
      "step: create_post.long",
      "setting: platform.longform",
    ],
  },
  {
    about: "media of messages",
    endpoints: ["POST /2/media/upload", "GET /1.1/ton/data/dm/:message_id/:media_id/:file"],
    rules: ["step: reply_dm.media", "field: message.media_url"],
  },
  {
    about: "fields of the deliveries",
    endpoints: ["POST /2/webhooks", "POST /2/activity/subscriptions"],
    rules: [
      "field: post.cashtags",
      "field: post.source_app_name",
      "field: post.source_app_url",
      "field: post.like_count",
      "field: post.media_urls",
      "field: sender.profile_image_url",
      "field: message.source_app_name",
      "field: message.media_url",
    ],
  },
  {
    about: "monthly post cap",
    endpoints: ["GET /2/usage/posts"],
    rules: ["metric: answerback_month_posts", "metric: answerback_month_posts_cap"],
  },
];

/** Methods that a real client has, each with its endpoint. */
const METHODS = clientMethods();

function clientMethods(): readonly (Endpoint & { readonly name: string })[] {
  const credentials = { type: "bearer", bearerToken: "unused" } as const;
  const client = createClient({ baseUrl: "http://127.0.0.1:1", credentials });
  const resources = new Map(Object.entries<unknown>({ ...client }));
  return Object.entries(ENDPOINTS).flatMap(([resource, table]) =>
    Object.entries<Endpoint>(table).flatMap(([method, endpoint]) => {
      const methods = new Map(Object.entries<unknown>(Object(resources.get(resource))));
      const name = `${resource}.${method}`;
      return typeof methods.get(method) === "function" ? [{ ...endpoint, name }] : [];
    }),
  );
}

/** Renders which parts of the platform's API the sandbox has, the client calls, and rules use. */
export function interfaceTable(): string {
  const rows = PARTS.map(({ about, endpoints, rules }) => [
    about,
    marked(endpoints.map((one) => [one, inSandbox(one) && inClient(one)])),
    `${rules.every(inLanguage) ? "●" : "○"} ${rules.map((word) => shown(word)).join(", ")}`,
  ]);
  return table(["Part of the interface", "Sandbox and client", "Rules and bots"], rows);
}

function marked(names: readonly (readonly [name: string, isThere: boolean])[]): string {
  const all = names.every(([, isThere]) => isThere);
  return `${all ? "●" : "○"} ${names.map(([name, isThere]) => (isThere ? `\`${name}\`` : `missing: \`${name}\``)).join(", ")}`;
}

function inSandbox(endpoint: EndpointName): boolean {
  const [method, path = ""] = endpoint.split(" ");
  const paths = [path, `/ads/:version${path}`].map(withoutNames);
  return AREAS.some(({ routes }) =>
    routes.some((route) => route.method === method && paths.includes(withoutNames(route.path))),
  );
}

/** Removes the names of a path's parameters, which differ between client and sandbox: `/2/users/:`. */
function withoutNames(path: string): string {
  return path.replace(/:\w+/g, ":");
}

function inClient(endpoint: EndpointName): boolean {
  return METHODS.some(({ method, path }) => endpoint === `${method} ${path}`);
}

function inLanguage(word: RuleWord): boolean {
  const [kind = "", written = ""] = word.split(": ");
  if (kind === "field") return EVENT_KIND_NAMES.some((one) => fieldsOf(one).has(written));
  if (kind === "bot") {
    return METHODS.some(
      ({ name, takes }) => written === `ctx.client.${name}` && takes.includes("oauth1"),
    );
  }
  if (kind === "trigger key")
    return keysOf(jsonSchema(triggerMap)).some(({ path }) => path === written);
  if (kind === "metric") return Object.values(METRICS).some(({ name }) => name === written);
  const [name = "", key] = kind === "step" ? written.split(".") : [written];
  const topic = TOPICS.find((one) => one.kind === kind && one.name === name);
  return topic !== undefined && (key === undefined || topic.keys.some(({ path }) => path === key));
}

function shown(word: RuleWord): string {
  const [kind = "", written = ""] = word.split(": ");
  const text = kind === "step" ? written.replace(".", ": … ") : written;
  return inLanguage(word) ? `\`${text}\`` : `missing: \`${text}\``;
}
