import * as z from "zod";
import { defineTable } from "../kernel/world/table.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type AppRow, appsOfProject, planOf } from "./apps.ts";

const DAY_MS = 86_400_000;

/** Numbers of posts that an app has received, by day in UTC, for the monthly post cap of the app's project. */
export const postUsage = defineTable({
  name: "post_usage",
  schema: z.strictObject({
    appId: z.string(),
    /** Day, such as `2026-06-15`. */
    day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
    posts: z.int().min(0),
  }),
  key: ({ appId, day }) => usageKey(appId, day),
  indexes: {},
});

/** State of the monthly post cap of a project. */
export interface MonthlyPosts {
  readonly used: number;
  readonly cap: number;
  /** Start of the next calendar month in UTC, in milliseconds since the Unix epoch. */
  readonly resetsAt: number;
}

function usageKey(appId: string, day: string): string {
  return `${appId}:${day}`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Counts posts that were sent to an app. */
export function countPosts({ world, time }: Sandbox, { id: appId }: AppRow, posts: number): void {
  if (posts === 0) return;
  const table = postUsage.in(world);
  const day = dayOf(time.now());
  const before = table.get(usageKey(appId, day))?.posts ?? 0;
  table.put({ appId, day, posts: before + posts });
}

/** Returns the number of posts that an app received on each of the latest `days` days, today last. */
export function dailyPosts(
  { world, time }: Sandbox,
  { id }: AppRow,
  days: number,
): { readonly day: string; readonly posts: number }[] {
  const table = postUsage.in(world);
  return Array.from({ length: days }, (_, index) => {
    const day = dayOf(time.now() - (days - 1 - index) * DAY_MS);
    return { day, posts: table.get(usageKey(id, day))?.posts ?? 0 };
  });
}

/** Returns the number of posts that the app's project has received in this calendar month, and the monthly cap. */
export function monthlyPosts(sandbox: Sandbox, app: AppRow): MonthlyPosts {
  const now = new Date(sandbox.time.now());
  const today = now.getUTCDate();
  const used = projectApps(sandbox, app)
    .flatMap((one) => dailyPosts(sandbox, one, today))
    .reduce((sum, { posts }) => sum + posts, 0);
  return {
    used,
    cap: sandbox.settings.limits.posts_per_month,
    resetsAt: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1),
  };
}

/** Returns the apps whose posts count towards the same cap. An app in no project has its own cap. */
export function projectApps(sandbox: Sandbox, app: AppRow): readonly AppRow[] {
  return app.projectId === "" ? [app] : appsOfProject(sandbox, app);
}

/** Returns whether the app's project may receive no more posts this month. */
export function isPostCapReached(sandbox: Sandbox, app: AppRow): boolean {
  if (!sandbox.settings.limits.enabled) return false;
  const { used, cap } = monthlyPosts(sandbox, app);
  return used >= cap;
}

/** @throws {ApiError} 429 if the app's project may receive no more posts this month. */
export function refuseAtPostCap(sandbox: Sandbox, app: AppRow): void {
  if (!isPostCapReached(sandbox, app)) return;
  throw new ApiError({
    status: 429,
    code: "usage_capped",
    message: "Usage cap exceeded: Monthly product cap",
    title: "UsageCapExceeded",
    problem: "usage-capped",
    extra: { product_name: planOf(sandbox, app), period: "Monthly", scope: "Product" },
  });
}

/** Returns whether a delivered event is a post: `post_create_events`, or a post event of the activity interface. */
export function isPostEvent(event: string): boolean {
  return event === "post_create_events" || (event.startsWith("post.") && event !== "post.delete");
}
