import { DEFAULT_IMAGE, relationships, type UserRow } from "../../model/accounts.ts";
import { listedCount } from "../../model/lists.ts";
import { likes, posts } from "../../model/posts.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { dateText, wireInt } from "./wire.ts";

interface UserFacts {
  readonly location: string;
  readonly description: string;
  readonly url: string;
  readonly image: string;
  readonly protected: boolean;
  readonly verified: boolean;
  readonly followers: number;
  readonly friends: number;
  readonly statuses: number;
  readonly favourites: number;
}

function factsOf(world: SandboxWorld, user: UserRow): UserFacts {
  const { profile } = user;
  const text = (key: string, fallback = ""): string => {
    const value = profile[key];
    return typeof value === "string" ? value : fallback;
  };
  return {
    location: text("location"),
    description: text("description"),
    url: text("url"),
    image: text("profile_image_url", DEFAULT_IMAGE),
    protected: profile["protected"] === true,
    verified: profile["verified"] === true,
    followers: relationships.in(world).count("to", `follow:${user.id}`),
    friends: relationships.in(world).count("from", `follow:${user.id}`),
    statuses: posts.in(world).count("author", user.id),
    favourites: likes.in(world).count("user", user.id),
  };
}

/** Renders the user object inside a post of an event. Source: recorded bodies of the live service. */
export function userInPost(world: SandboxWorld, user: UserRow): Record<string, unknown> {
  const facts = factsOf(world, user);
  return {
    id: wireInt(user.id),
    id_str: user.id,
    name: user.name,
    screen_name: user.username,
    location: facts.location === "" ? null : facts.location,
    url: facts.url === "" ? null : facts.url,
    description: facts.description === "" ? null : facts.description,
    translator_type: "none",
    protected: facts.protected,
    verified: facts.verified,
    followers_count: facts.followers,
    friends_count: facts.friends,
    listed_count: listedCount(world, user.id),
    favourites_count: facts.favourites,
    statuses_count: facts.statuses,
    created_at: dateText(user.createdAt),
    utc_offset: null,
    time_zone: null,
    geo_enabled: false,
    lang: null,
    contributors_enabled: false,
    is_translator: false,
    profile_background_color: "F5F8FA",
    profile_background_image_url: "",
    profile_background_image_url_https: "",
    profile_background_tile: false,
    profile_link_color: user.settings?.linkColor ?? "1DA1F2",
    profile_sidebar_border_color: "C0DEED",
    profile_sidebar_fill_color: "DDEEF6",
    profile_text_color: "333333",
    profile_use_background_image: true,
    profile_image_url: facts.image,
    profile_image_url_https: facts.image,
    default_profile: true,
    default_profile_image: facts.image === DEFAULT_IMAGE,
    following: null,
    follow_request_sent: null,
    notifications: null,
    withheld_in_countries: [],
  };
}

/**
 * Renders `source` and `target` of follow, block and mute events. Unlike in posts, ids are strings and colours are -1.
 */
export function userInRelationEvent(world: SandboxWorld, user: UserRow): Record<string, unknown> {
  const facts = factsOf(world, user);
  return {
    id: user.id,
    default_profile_image: facts.image === DEFAULT_IMAGE,
    profile_background_image_url: "",
    friends_count: facts.friends,
    favourites_count: facts.favourites,
    profile_link_color: -1,
    profile_background_image_url_https: "",
    utc_offset: 0,
    screen_name: user.username,
    is_translator: false,
    followers_count: facts.followers,
    name: user.name,
    lang: "",
    profile_use_background_image: false,
    created_at: dateText(user.createdAt),
    profile_text_color: -1,
    notifications: false,
    protected: facts.protected,
    statuses_count: facts.statuses,
    url: facts.url,
    contributors_enabled: false,
    default_profile: true,
    profile_sidebar_border_color: -1,
    time_zone: "",
    geo_enabled: false,
    verified: facts.verified,
    profile_image_url: facts.image,
    following: false,
    profile_image_url_https: facts.image,
    profile_background_tile: false,
    listed_count: 0,
    profile_sidebar_fill_color: -1,
    location: facts.location,
    follow_request_sent: false,
    description: facts.description,
    profile_background_color: -1,
  };
}

/** Renders an entry of the `users` map of message events. It always has all thirteen documented fields. */
export function userInMessage(world: SandboxWorld, user: UserRow): Record<string, unknown> {
  const facts = factsOf(world, user);
  return {
    id: user.id,
    created_timestamp: String(user.createdAt),
    name: user.name,
    screen_name: user.username,
    location: facts.location,
    description: facts.description,
    url: facts.url,
    protected: facts.protected,
    verified: facts.verified,
    followers_count: facts.followers,
    friends_count: facts.friends,
    statuses_count: facts.statuses,
    profile_image_url_https: facts.image,
  };
}
