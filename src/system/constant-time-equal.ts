import { timingSafeEqual } from "node:crypto";

/** Whether two texts or buffers are the same, in a time that does not tell where they differ. */
export function constantTimeEqual(a: string | Buffer, b: string | Buffer): boolean {
  const left = typeof a === "string" ? Buffer.from(a) : a;
  const right = typeof b === "string" ? Buffer.from(b) : b;
  return left.length === right.length && timingSafeEqual(left, right);
}
