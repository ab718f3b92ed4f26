import * as z from "zod";
import type { Sandbox } from "../kernel/sandbox.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { instant } from "../kernel/world/columns.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { defineTable } from "../kernel/world/table.ts";
import { posts } from "../model/posts.ts";

/** Posts that search finds only from the time `until`, as when the platform indexes them late. */
export const latePosts = defineTable({
  name: "late_posts",
  schema: z.strictObject({ postId: z.string().regex(/^\d{1,19}$/), until: instant }),
  key: ({ postId }) => postId,
  indexes: {},
});

/** Body of a request that delays a post in search. */
export const delayInput = z.strictObject({ ms: z.int().min(0).max(3_600_000) });

/**
 * Hides a post from search for some milliseconds from now, and returns the time at which search finds it.
 *
 * @throws {ApiError} 404 for an unknown post.
 */
export function delayInSearch({ world, time }: Sandbox, postId: string, ms: number): number {
  if (posts.in(world).get(postId) === undefined) {
    throw ApiError.control(404, "unknown_post", `There is no post ${postId}.`);
  }
  const until = time.now() + ms;
  latePosts.in(world).put({ postId, until });
  return until;
}

/** Returns whether search does not find a post yet. */
export function isLate(world: SandboxWorld, postId: string, now: number): boolean {
  const late = latePosts.in(world).get(postId);
  return late !== undefined && now < late.until;
}
