import { fetch } from "undici";
import type { PlatformTarget } from "../target/target.ts";
import { type Finding, fail, failed, ok, warn } from "./finding.ts";

/** The platform refuses signed requests that are further off than this. */
const REFUSED_MS = 300_000;
const NOTABLE_MS = 30_000;

/** How far this machine's clock is from the platform's. */
export async function checkClock({ access, sandbox }: PlatformTarget): Promise<Finding> {
  if (sandbox !== undefined) return ok("clock", "the sandbox accepts this machine's time");
  try {
    const before = Date.now();
    const answer = await fetch(access.baseUrl, { method: "HEAD", redirect: "manual" });
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (Number.isNaN(date)) {
      return warn("clock", "the platform sends no date", "compare: date -u");
    }
    const offMs = Math.abs((before + Date.now()) / 2 - date);
    const difference = `${Math.round(offMs / 1_000)} s off the platform's time`;
    if (offMs > REFUSED_MS)
      return fail("clock", difference, "set this machine's clock: timedatectl set-ntp true");
    return offMs > NOTABLE_MS
      ? warn("clock", difference, "timedatectl set-ntp true")
      : ok("clock", difference);
  } catch (error) {
    return failed("clock", error, `check that this machine can reach ${access.baseUrl}`);
  }
}
