import { join } from "node:path";
import { inject } from "vitest";

/** Stands in for `cli/dev/own-program.ts` where `dev` starts the bot: the same command line, bundled. */
export function ownProgram(): string[] {
  return ["--conditions=source", join(inject("prebuilt"), "src/cli/bin.js")];
}
