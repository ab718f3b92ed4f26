import type { Sandbox } from "../kernel/sandbox.ts";
import { ties, type User } from "./entities.ts";

/** Every field the sandbox knows of a user, as the data interface spells it. */
export function renderUser({ world }: Sandbox, user: User): Record<string, unknown> {
  const table = ties.in(world);
  const given = user.profile["public_metrics"];
  return {
    id: user.id,
    name: user.name,
    username: user.username,
    created_at: new Date(user.createdAt).toISOString(),
    description: "",
    location: "",
    url: "",
    profile_image_url: "https://images.example/default_profile.png",
    protected: false,
    verified: false,
    verified_type: "none",
    ...user.profile,
    public_metrics: {
      followers_count: table.count("to", `follow:${user.id}`),
      following_count: table.count("from", `follow:${user.id}`),
      post_count: 0,
      listed_count: 0,
      like_count: 0,
      media_count: 0,
      ...Object(given),
    },
  };
}

const DEFAULT_FIELDS = ["id", "name", "username"];

/** A user with its default fields and those that `user.fields` asks for. */
export function pickUser(
  sandbox: Sandbox,
  user: User,
  query: URLSearchParams,
): Record<string, unknown> {
  const wanted = new Set([...DEFAULT_FIELDS, ...(query.get("user.fields") ?? "").split(",")]);
  return Object.fromEntries(
    Object.entries(renderUser(sandbox, user)).filter(([name]) => wanted.has(name)),
  );
}
