import { DEFAULT_IMAGE } from "./default-image.ts";
import { USER_FIELDS } from "../../protocol/fields.ts";
import { type LazyField, pick } from "../data-query/selection.ts";
import type { RenderContext } from "../data-query/render-context.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { listedCount } from "../lists/entities.ts";
import { likes, posts } from "../posts/entities.ts";
import { renderEntities } from "../posts/rendering/render-entities.ts";
import { plainText } from "../posts/text/shown-text.ts";
import { isRelated, relationships, type UserRow } from "./entities.ts";
import { acceptsMessagesFrom } from "./accepts-messages.ts";

/** Fields of the profile that are returned as they were set. */
const STORED_FIELDS = [
  "affiliation",
  "is_identity_verified",
  "parody",
  "pinned_post_id",
  "profile_banner_url",
  "verified_followers_count",
  "withheld",
] as const;

/** A user with its default fields and those selected. */
export function renderUser(
  context: RenderContext,
  user: UserRow,
  selected: ReadonlySet<string>,
): Record<string, unknown> {
  return pick("user", selected, { ...ownFields(context, user), ...relationFields(context, user) });
}

function ownFields({ world }: RenderContext, user: UserRow): Record<string, LazyField> {
  const { profile } = user;
  const storedField =
    (name: string, fallback: unknown): LazyField =>
    () =>
      profile[name] ?? fallback;
  return {
    id: () => user.id,
    name: () => user.name,
    username: () => user.username,
    created_at: () => new Date(user.createdAt).toISOString(),
    description: storedField("description", ""),
    location: storedField("location", ""),
    url: storedField("url", ""),
    profile_image_url: storedField("profile_image_url", DEFAULT_IMAGE),
    protected: storedField("protected", false),
    verified: storedField("verified", false),
    verified_type: storedField("verified_type", "none"),
    subscription_type: storedField("subscription_type", "None"),
    ...Object.fromEntries(STORED_FIELDS.map((name) => [name, storedField(name, undefined)])),
    most_recent_post_id: () =>
      profile["most_recent_post_id"] ?? first(posts.in(world).descending("author", user.id))?.id,
    entities: () => profile["entities"] ?? profileEntities(world, profile),
    public_metrics: () => ({
      followers_count: relationships.in(world).count("to", `follow:${user.id}`),
      following_count: relationships.in(world).count("from", `follow:${user.id}`),
      post_count: posts.in(world).count("author", user.id),
      listed_count: listedCount(world, user.id),
      like_count: likes.in(world).count("user", user.id),
      media_count: 0,
      ...Object(profile["public_metrics"]),
    }),
  };
}

/** Fields about the relationship of user and viewer; an app alone has none. */
function relationFields(
  { world, viewer, email }: RenderContext,
  user: UserRow,
): Record<string, LazyField> {
  return {
    receives_your_dm: () =>
      viewer === undefined ? undefined : acceptsMessagesFrom(world, viewer, user),
    subscription: () => (viewer === undefined ? undefined : { subscribes_to_you: false }),
    subscribes_to_you: () => (viewer === undefined ? undefined : false),
    confirmed_email: () =>
      viewer === user.id && email && user.email !== "" ? user.email : undefined,
    connection_status: () => {
      if (viewer === undefined || viewer === user.id) return undefined;
      const states = [
        ["follow_request_received", isRelated(world, "request", user.id, viewer)],
        ["follow_request_sent", isRelated(world, "request", viewer, user.id)],
        ["blocking", isRelated(world, "block", viewer, user.id)],
        ["followed_by", isRelated(world, "follow", user.id, viewer)],
        ["following", isRelated(world, "follow", viewer, user.id)],
        ["muting", isRelated(world, "mute", viewer, user.id)],
      ] as const;
      return states.filter(([, applies]) => applies).map(([name]) => name);
    },
  };
}

/** All fields of a user, as the control interface returns them. */
export function renderFullUser(
  { world, baseUrl, time }: Sandbox,
  user: UserRow,
): Record<string, unknown> {
  const context: RenderContext = {
    world,
    baseUrl,
    dialect: "post",
    now: time.now(),
    viewer: undefined,
    email: false,
  };
  return {
    ...renderUser(context, user, new Set(USER_FIELDS)),
    suspended: user.profile["suspended"] === true,
  };
}

function profileEntities(
  world: RenderContext["world"],
  profile: UserRow["profile"],
): Record<string, unknown> | undefined {
  const of = (name: string): Record<string, unknown> | undefined => {
    const text = profile[name];
    return typeof text === "string" ? renderEntities(world, plainText(text)) : undefined;
  };
  const url = of("url");
  const description = of("description");
  if (url === undefined && description === undefined) return undefined;
  return {
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
  };
}

function first<Row>(rows: Iterable<Row>): Row | undefined {
  for (const row of rows) return row;
  return undefined;
}
