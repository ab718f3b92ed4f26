import { timingSafeEqual } from "node:crypto";

/** Whether two texts or buffers are equal, in constant time for equal lengths. */
export function constantTimeEqual(a: string | Buffer, b: string | Buffer): boolean {
  const aBytes = typeof a === "string" ? Buffer.from(a) : a;
  const bBytes = typeof b === "string" ? Buffer.from(b) : b;
  return aBytes.length === bBytes.length && timingSafeEqual(aBytes, bBytes);
}
