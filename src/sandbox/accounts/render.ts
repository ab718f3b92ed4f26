import { USER_FIELDS } from "../../interface/fields.ts";
import { type Field, pick } from "../fields/selection.ts";
import type { Reader } from "../fields/reader.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { likes, posts } from "../posts/entities.ts";
import { renderEntities } from "../posts/render-entities.ts";
import { tied, ties, type User } from "./entities.ts";
import { receivesFrom } from "./receives.ts";

const IMAGE = "https://images.example/default_profile.png";

/** Fields of the profile that stand as they were set. */
const AS_SET = [
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
  reader: Reader,
  user: User,
  selected: ReadonlySet<string>,
): Record<string, unknown> {
  return pick("user", selected, { ...ownFields(reader, user), ...towards(reader, user) });
}

function ownFields({ world }: Reader, user: User): Record<string, Field> {
  const { profile } = user;
  const set =
    (name: string, otherwise: unknown): Field =>
    () =>
      profile[name] ?? otherwise;
  return {
    id: () => user.id,
    name: () => user.name,
    username: () => user.username,
    created_at: () => new Date(user.createdAt).toISOString(),
    description: set("description", ""),
    location: set("location", ""),
    url: set("url", ""),
    profile_image_url: set("profile_image_url", IMAGE),
    protected: set("protected", false),
    verified: set("verified", false),
    verified_type: set("verified_type", "none"),
    subscription_type: set("subscription_type", "None"),
    ...Object.fromEntries(AS_SET.map((name) => [name, set(name, undefined)])),
    most_recent_post_id: () =>
      profile["most_recent_post_id"] ?? first(posts.in(world).down("author", user.id))?.id,
    entities: () => profile["entities"] ?? profileEntities(world, profile),
    public_metrics: () => ({
      followers_count: ties.in(world).count("to", `follow:${user.id}`),
      following_count: ties.in(world).count("from", `follow:${user.id}`),
      post_count: posts.in(world).count("author", user.id),
      listed_count: 0,
      like_count: likes.in(world).count("user", user.id),
      media_count: 0,
      ...Object(profile["public_metrics"]),
    }),
  };
}

/** Fields that say how the user and the reader stand to each other; an app alone has none. */
function towards({ world, viewer, email }: Reader, user: User): Record<string, Field> {
  return {
    receives_your_dm: () => (viewer === undefined ? undefined : receivesFrom(world, viewer, user)),
    subscription: () => (viewer === undefined ? undefined : { subscribes_to_you: false }),
    subscribes_to_you: () => (viewer === undefined ? undefined : false),
    confirmed_email: () =>
      viewer === user.id && email && user.email !== "" ? user.email : undefined,
    connection_status: () => {
      if (viewer === undefined || viewer === user.id) return undefined;
      const states = [
        ["follow_request_received", tied(world, "request", user.id, viewer)],
        ["follow_request_sent", tied(world, "request", viewer, user.id)],
        ["blocking", tied(world, "block", viewer, user.id)],
        ["followed_by", tied(world, "follow", user.id, viewer)],
        ["following", tied(world, "follow", viewer, user.id)],
        ["muting", tied(world, "mute", viewer, user.id)],
      ] as const;
      return states.filter(([, holds]) => holds).map(([name]) => name);
    },
  };
}

/** Everything there is to know of a user, as the control interface tells it. */
export function renderWholeUser(
  { world, baseUrl, time }: Sandbox,
  user: User,
): Record<string, unknown> {
  const reader: Reader = {
    world,
    baseUrl,
    dialect: "post",
    now: time.now(),
    viewer: undefined,
    email: false,
  };
  return {
    ...renderUser(reader, user, new Set(USER_FIELDS)),
    suspended: user.profile["suspended"] === true,
  };
}

function profileEntities(
  world: Reader["world"],
  profile: User["profile"],
): Record<string, unknown> | undefined {
  const of = (name: string): Record<string, unknown> | undefined => {
    const text = profile[name];
    return typeof text === "string" ? renderEntities(world, { text }) : undefined;
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
