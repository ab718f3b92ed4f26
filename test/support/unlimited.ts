/**
 * A sandbox that limits nobody, and whose answers tell of much that is left: workers that share a limit count what they
 * have used of it themselves.
 */
export const UNLIMITED = { enabled: false, scale: 10_000 } as const;
