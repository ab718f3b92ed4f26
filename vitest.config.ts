import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["source", "node", "import", "default"] },
  ssr: { resolve: { conditions: ["source", "node", "import", "default"] } },
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", "./test/support/closing-line.ts"],
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
