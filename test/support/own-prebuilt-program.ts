import { join } from "node:path";
import { inject } from "vitest";

/** Replaces `cli/dev/own-program.ts`, by which `dev` starts the bot: the same command line, bundled. */
export function ownProgram(): string[] {
  return ["--conditions=source", join(inject("prebuilt"), "src/cli/bin.js")];
}
