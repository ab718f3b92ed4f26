import { defineConfig } from "vitest/config";

/** Tests under mutation, one path or pattern a line. */
const tests = process.env["MUTATION_TESTS"] ?? "";

/** Settings of the tests under mutation: only tests that start no process, thread, server or browser run with them. */
export default defineConfig({
  resolve: { conditions: ["source", "node", "default"] },
  ssr: { resolve: { conditions: ["source", "node", "default"] } },
  test: {
    include: tests.split("\n"),
    setupFiles: ["./test/support/fixed-seeds.ts"],
  },
});
