import type { RuntimeStatus } from "../../runtime/control/status-schema.ts";

/** Clock differences in milliseconds below this value are not shown, because they are harmless and fluctuate. */
const CLOCK_TOLD_MS = 1_000;

/** Line of `status` about a process that shares a store with others: `worker-2, worker, 32 partitions`. */
export function processLine(one: RuntimeStatus["processes"][number]): string {
  const { name, role, leads, partitions, isLeaving, clockAheadMs = 0 } = one;
  const parts = [name, role === "all" ? "receiver and worker" : role];
  if (leads) parts.push("leads");
  if (role !== "receiver") parts.push(`${partitions.length} partitions`);
  if (isLeaving) parts.push("is ending");
  if (Math.abs(clockAheadMs) >= CLOCK_TOLD_MS) {
    const seconds = Math.round(Math.abs(clockAheadMs) / 1_000);
    parts.push(`its clock is ${seconds} s ${clockAheadMs > 0 ? "ahead" : "behind"}`);
  }
  return parts.join(", ");
}
