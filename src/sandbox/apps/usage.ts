import * as z from "zod";
import { findUser } from "../model/accounts.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import type { AppRow } from "../model/apps.ts";

const DAY_MS = 86_400_000;

/** Change to the daily limits for writing: all used up, or nothing used. */
export const usageInput = z.strictObject({
  used: z.enum(["all", "none"]),
  user_id: z
    .string()
    .min(1)
    .optional()
    .describe("User id of a person whose limits are changed together with the app's."),
  resets_in_ms: z
    .int()
    .min(1)
    .max(DAY_MS)
    .default(DAY_MS)
    .describe("Milliseconds until the day ends, by the sandbox's clock."),
});

/** Uses up or resets an app's daily limits for writing; with `user_id` also the limits of that person. */
export function changeUsage(
  sandbox: Sandbox,
  { id: app }: AppRow,
  { used, user_id, resets_in_ms: ms }: z.output<typeof usageInput>,
): void {
  const { limits, limitedRoutes, settings } = sandbox;
  const who = { app, user: user_id === undefined ? undefined : findUser(sandbox, user_id).id };
  for (const route of limitedRoutes.filter(({ method }) => method !== "GET")) {
    if (used === "all") limits.useUpDay(route, who, settings.limits.scale, ms);
    else limits.giveDayBack(route, who);
  }
}
