/** Tags of tests that need something which a machine may lack; `needs.ts` says how each is looked for. */
export const NEEDED = ["browser", "registry", "linux", "full-disk", "read-only-folder"] as const;
