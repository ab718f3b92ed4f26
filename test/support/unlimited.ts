/**
 * Settings of a sandbox without limits. Its answers report a large remaining quota, because workers that share a limit
 * count their own requests.
 */
export const UNLIMITED = { enabled: false, scale: 10_000 } as const;
