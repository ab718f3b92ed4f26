import type { Client } from "../../client/client.ts";
import { PlatformError } from "../../client/errors.ts";
import { capLevel, capLine, monthOf } from "../../runtime/platform.ts";
import { type Finding, fail, failed, ok, warn } from "./finding.ts";

/** Fix if the app's monthly cap of received posts is nearly or entirely used up. */
const LARGER_PLAN = "wait for the reset, search and poll less, or choose a plan with a larger cap";

/**
 * Checks whether the app may receive more posts this month.
 *
 * @param now Milliseconds since the epoch, by the platform's clock.
 */
export async function checkPosts(
  { usage }: Pick<Client<"bearer">, "usage">,
  now: number,
): Promise<Finding> {
  try {
    const month = monthOf(await usage.posts(), now);
    const level = capLevel(month);
    if (level === "low") return ok("posts", capLine(month));
    return level === "near"
      ? warn("posts", capLine(month), LARGER_PLAN)
      : fail("posts", capLine(month), LARGER_PLAN);
  } catch (error) {
    const isUnsupported = error instanceof PlatformError && NOT_SERVED.has(error.status);
    return isUnsupported
      ? ok("posts", `the platform does not report the month's posts (${error.status})`)
      : failed("posts", error, LARGER_PLAN);
  }
}

/** HTTP statuses of a platform that does not serve the endpoint, or does not serve it for this plan. */
const NOT_SERVED: ReadonlySet<number> = new Set([403, 404]);
