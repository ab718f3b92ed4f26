import { USER_FIELDS } from "../../protocol/fields.ts";
import {
  DEFAULT_IMAGE,
  isRelated,
  relationships,
  type UserRow,
  acceptsMessagesFrom,
} from "../model/accounts.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { listedCount } from "../model/lists.ts";
import { likes, posts } from "../model/posts.ts";
import { type FieldReader, picker } from "./selection.ts";
import type { RenderContext } from "./render-context.ts";
import { renderEntities } from "./text-entities.ts";
import { plainText } from "./shown-text.ts";

type UserFields = Readonly<Record<string, FieldReader<UserRow>>>;

/** Creates a reader that returns a field of the profile unchanged. */
const stored =
  (name: string, fallback?: unknown): FieldReader<UserRow> =>
  (_, { profile }) =>
    profile[name] ?? fallback;

const OWN_FIELDS: UserFields = {
  id: (_, user) => user.id,
  name: (_, user) => user.name,
  username: (_, user) => user.username,
  created_at: (_, user) => new Date(user.createdAt).toISOString(),
  description: stored("description", ""),
  location: stored("location", ""),
  url: stored("url", ""),
  profile_image_url: stored("profile_image_url", DEFAULT_IMAGE),
  protected: stored("protected", false),
  verified: stored("verified", false),
  verified_type: stored("verified_type", "none"),
  subscription_type: stored("subscription_type", "None"),
  affiliation: stored("affiliation"),
  is_identity_verified: stored("is_identity_verified"),
  parody: stored("parody"),
  pinned_post_id: ({ world }, { profile }) => undeleted(world, profile["pinned_post_id"]),
  profile_banner_url: stored("profile_banner_url"),
  verified_followers_count: stored("verified_followers_count"),
  withheld: stored("withheld"),
  most_recent_post_id: ({ world }, { id, profile }) =>
    undeleted(world, profile["most_recent_post_id"]) ??
    first(posts.in(world).descending("author", id))?.id,
  entities: ({ world }, { profile }) => profile["entities"] ?? profileEntities(world, profile),
  public_metrics: ({ world }, { id, profile }) => ({
    followers_count: relationships.in(world).count("to", `follow:${id}`),
    following_count: relationships.in(world).count("from", `follow:${id}`),
    post_count: posts.in(world).count("author", id),
    listed_count: listedCount(world, id),
    like_count: likes.in(world).count("user", id),
    media_count: 0,
    ...Object(profile["public_metrics"]),
  }),
};

/** Fields about the relationship of user and viewer; absent for an app without a user. */
const RELATION_FIELDS: UserFields = {
  receives_your_dm: ({ world, viewer }, user) =>
    viewer === undefined ? undefined : acceptsMessagesFrom(world, viewer, user),
  subscription: ({ viewer }) => (viewer === undefined ? undefined : { subscribes_to_you: false }),
  subscribes_to_you: ({ viewer }) => (viewer === undefined ? undefined : false),
  confirmed_email: ({ viewer, email }, user) =>
    viewer === user.id && email && user.email !== "" ? user.email : undefined,
  connection_status: ({ world, viewer }, user) => {
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

/** Renders a user with its default and selected fields. */
export const renderUser = picker("user", { ...OWN_FIELDS, ...RELATION_FIELDS });

/** Returns all fields of a user, in the form of the control interface. */
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

/** Returns a post's id from a profile, unless the post was deleted. The world need not contain the post. */
function undeleted(world: RenderContext["world"], id: unknown): unknown {
  return typeof id === "string" && posts.in(world).get(id)?.deletedAt !== undefined
    ? undefined
    : id;
}

function first<Row>(rows: Iterable<Row>): Row | undefined {
  for (const row of rows) return row;
  return undefined;
}
