import { defineConfig } from "vitest/config";
import { HANG_MS } from "../support/hang-limit.ts";

/** Tests under mutation, one path or pattern a line. */
const tests = process.env["MUTATION_TESTS"] ?? "";

/** Time limit of a test and of a hook, in milliseconds. */
const limitMs = Number(process.env["MUTATION_LIMIT_SECONDS"] ?? HANG_MS / 1_000) * 1_000;

/** Settings of the tests under mutation: only tests that start no process, thread, server or browser run with them. */
export default defineConfig({
  resolve: { conditions: ["answerback-source", "node", "default"] },
  ssr: { resolve: { conditions: ["answerback-source", "node", "default"] } },
  test: {
    include: tests.split("\n"),
    setupFiles: ["./test/support/fixed-seeds.ts"],
    // Each test file loads the modules that others have loaded. The workers are new in each run.
    isolate: false,
    testTimeout: limitMs,
    hookTimeout: limitMs,
  },
});
