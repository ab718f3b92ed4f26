import { inspect } from "node:util";

/** What was thrown, with its stack: authors may throw anything. */
export function describeThrown(error: unknown): string {
  if (error instanceof Error && typeof error.stack === "string") return error.stack;
  return typeof error === "string" ? error : inspect(error);
}
