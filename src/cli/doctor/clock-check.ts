import { fetch } from "undici";
import type { Target } from "../target/target.ts";
import { type Finding, fail, failed, ok, warn } from "./finding.ts";

/** Signed requests further off than this are refused. */
const REFUSED_MS = 300_000;
const NOTABLE_MS = 30_000;

/** How far this machine's clock is from the platform's. */
export async function clockOf({ access, sandbox }: Target): Promise<Finding> {
  if (sandbox !== undefined) return ok("clock", "the sandbox takes this machine's time as well");
  try {
    const before = Date.now();
    const answer = await fetch(access.baseUrl, { method: "HEAD", redirect: "manual" });
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (Number.isNaN(date)) {
      return warn("clock", "the platform does not tell its time", "compare: date -u");
    }
    const offMs = Math.abs((before + Date.now()) / 2 - date);
    const told = `${Math.round(offMs / 1_000)} s off the platform's`;
    if (offMs > REFUSED_MS)
      return fail("clock", told, "set this machine's clock: timedatectl set-ntp true");
    return offMs > NOTABLE_MS ? warn("clock", told, "timedatectl set-ntp true") : ok("clock", told);
  } catch (error) {
    return failed("clock", error, `see whether ${access.baseUrl} can be reached from here`);
  }
}
