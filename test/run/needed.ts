/** Tags of tests that need something that a machine may lack; `needs.ts` has the check for each. */
export const NEEDED = [
  "browser",
  "registry",
  "linux",
  "file-limit",
  "small-volume",
  "read-only-folder",
  "second-user",
  "nginx",
  "caddy",
] as const;
