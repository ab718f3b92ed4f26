/** Tags of tests that need something which a machine may lack; `needs.ts` says how each is looked for. */
export const NEEDED = [
  "browser",
  "registry",
  "linux",
  "file-limit",
  "small-volume",
  "read-only-folder",
  "second-user",
] as const;
