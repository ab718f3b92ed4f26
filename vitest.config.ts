import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["source", "node", "default"] },
  ssr: { resolve: { conditions: ["source", "node", "default"] } },
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", "./test/support/closing-line.ts"],
    pool: "forks",
    // Most tests wait for a sandbox or a disk: a worker for each core keeps the suite short.
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
