import { dateOf, PlatformClock } from "../../client/clock.ts";
import { askForDate, skewText } from "../../runtime/delivery.ts";
import type { PlatformTarget } from "../target/target.ts";
import { type Finding, failed, ok, warn } from "./finding.ts";

/** Clock difference in milliseconds from which the operator should correct this machine's clock. */
const NOTABLE_MS = 5_000;

/** Compares this machine's clock with the platform's, using the `Date` header of an HTTP response. */
export async function checkClock({
  access,
  sandbox,
}: {
  readonly access: Pick<PlatformTarget["access"], "baseUrl">;
  readonly sandbox: PlatformTarget["sandbox"];
}): Promise<Finding> {
  if (sandbox !== undefined) return ok("clock", "the sandbox accepts this machine's time");
  try {
    const { headers, tookMs } = await askForDate(access.baseUrl);
    if (dateOf(headers) === undefined) {
      return warn("clock", "the platform sends no date", "compare: date -u");
    }
    const platform = new PlatformClock(Date.now);
    platform.learn(headers, tookMs);
    const { aheadMs } = platform;
    if (aheadMs === 0) return ok("clock", "this machine's clock shows the platform's time");
    if (Math.abs(aheadMs) < NOTABLE_MS) return ok("clock", skewText(aheadMs));
    return warn(
      "clock",
      `${skewText(aheadMs)}; the bot uses the platform's time, other programs here do not`,
      "set this machine's clock by NTP: timedatectl set-ntp true",
    );
  } catch (error) {
    return failed("clock", error, `check that this machine can reach ${access.baseUrl}`);
  }
}
