/**
 * Settings of a sandbox without rate limits. Its responses still report a limit with a large remaining quota, because
 * workers that share a limit count their requests by it.
 */
export const UNLIMITED = { enabled: false, scale: 10_000 } as const;
