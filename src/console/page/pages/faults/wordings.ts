import type { FaultSpec } from "../../../../sandbox/control/objects.ts";
import { inputText } from "../delivery/stretch.ts";

/** When it happens, in words. */
export function whenOf(when: FaultSpec["when"]): string {
  if (when === undefined) return "next time";
  if ("next" in when) return when.next === 1 ? "next time" : `next ${when.next} times`;
  if ("every" in when) return when.every === 1 ? "every time" : `every ${when.every}th time`;
  if ("probability" in when) return `with probability ${when.probability}`;
  return "until" in when ? untilWords(when.until) : "every time";
}

/** @param time ISO 8601. */
export function untilWords(time: string): string {
  return `until ${inputText(Date.parse(time)).replace("T", " ")}`;
}
