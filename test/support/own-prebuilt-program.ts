import { join } from "node:path";
import { inject } from "vitest";

/** Replaces `cli/dev/own-program.ts` in tests, so that `dev` starts the bot by the bundled command line. */
export function ownProgram(): string[] {
  return ["--conditions=answerback-source", join(inject("prebuilt"), "src/cli/bin.js")];
}
