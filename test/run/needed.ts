/** Tags of tests that need something that a machine may lack. `needs.ts` checks whether this machine has it. */
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
