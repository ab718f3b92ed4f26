import { z } from "zod";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { APP, type Endpoints } from "../http/endpoint.ts";
import { dataOf } from "../reading/response.ts";

/** Accepts numbers and numbers as text, because the platform documents both. */
const number = z.coerce.number();
const days = z
  .array(z.object({ date: z.string(), usage: number.default(0) }))
  .nullish()
  .transform((list) => list ?? []);
const Usage = z.object({
  cap_reset_day: number,
  project_cap: number,
  project_id: z.string(),
  project_usage: number,
  daily_project_usage: z.object({ usage: days }).optional(),
  daily_client_app_usage: z
    .array(z.object({ client_app_id: z.string().nullish(), usage: days }))
    .optional(),
});

/**
 * Posts that the app's project has received this month (`project_usage`), its monthly cap (`project_cap`), and the
 * number of days until the cap is reset (`cap_reset_day`). The daily numbers are present if they were requested.
 */
export type PostUsage = z.infer<typeof Usage>;

/** Fields and days of a usage report. */
export interface UsageParams {
  /** Number of days in the daily numbers, including today; from 1 to 90, default 7. */
  readonly days?: number | undefined;
  readonly usageFields?: readonly ("daily_client_app_usage" | "daily_project_usage")[] | undefined;
}

/** Posts that count towards the monthly post cap. */
export interface UsageMethods {
  /**
   * Returns the posts of this month and the cap. Accepts only the app's bearer token.
   *
   * @example
   * const app = client.as({ type: "bearer", bearerToken: "…" });
   * const { project_usage, project_cap, cap_reset_day } = await app.usage.posts();
   * console.log(`${project_usage} of ${project_cap}, reset in ${cap_reset_day} days`);
   */
  posts(params?: UsageParams, options?: CallOptions): Promise<PostUsage>;
}

/** Endpoints of the usage methods. */
export const USAGE = {
  posts: { method: "GET", path: "/2/usage/posts", takes: APP },
} as const satisfies Endpoints<UsageMethods>;

const DEFAULTS = ["cap_reset_day", "project_cap", "project_id", "project_usage"];

/** Creates the methods of usage, which send their requests through `caller`. */
export function usage(caller: Caller): UsageMethods {
  return {
    async posts({ days: count, usageFields } = {}, options) {
      const fields = usageFields && [...DEFAULTS, ...usageFields];
      const query = { days: count, "usage.fields": fields };
      return dataOf(await caller.call(USAGE.posts, { query }, options), Usage);
    },
  };
}
