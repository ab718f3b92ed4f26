import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";
import { NEEDED } from "./test/run/needed.ts";
import { HANG_MS, WAIT_MS } from "./test/support/hang-limit.ts";
import LongestFirst, { APART, SLOW } from "./test/support/slow-files.ts";

/** What stands in for a module of ours, by the end of its path: it has the same code bundled. */
const PREBUILT = [
  {
    module: "/system/start-thread.ts",
    standIn: new URL("test/support/start-prebuilt-thread.ts", import.meta.url),
  },
  {
    module: "/assets/page-assets.ts",
    standIn: new URL("test/support/prebuilt-page.ts", import.meta.url),
  },
  {
    module: "/own-program.ts",
    standIn: new URL("test/support/own-prebuilt-program.ts", import.meta.url),
  },
];

/** Tests start threads and processes bundled, as `test/support/prebuilt.ts` makes them. */
const prebuilt: Plugin = {
  name: "prebuilt",
  enforce: "pre",
  resolveId(source, importer = "") {
    if (!importer.includes("/src/")) return undefined;
    const found = PREBUILT.find(({ module }) => source.endsWith(module));
    return found && fileURLToPath(found.standIn);
  },
};

/** Has `--maxWorkers` count: Vitest passes it to no project, each of which would have the number below. */
const workersOfCommandLine: Plugin = {
  name: "workers-of-command-line",
  configureVitest({ vitest, project }) {
    const { maxWorkers } = vitest.config;
    if (maxWorkers !== undefined) project.config.maxWorkers = maxWorkers;
  },
};

export default defineConfig({
  plugins: [prebuilt, workersOfCommandLine],
  resolve: {
    conditions: ["answerback-source", "node", "default"],
    // examples are projects of their own, in which nothing is installed here
    alias: [
      {
        find: /^answerback$/,
        replacement: fileURLToPath(new URL("src/index.ts", import.meta.url)),
      },
    ],
  },
  ssr: { resolve: { conditions: ["answerback-source", "node", "default"] } },
  test: {
    projects: [
      // Files leave nothing behind, so that many are tested in one process: each loads what others have.
      {
        extends: true,
        test: {
          name: "quick",
          include: ["test/**/*.test.ts"],
          exclude: [...SLOW, ...APART],
          isolate: false,
        },
      },
      { extends: true, test: { name: "slow", include: SLOW, isolate: false } },
      { extends: true, test: { name: "apart", include: APART } },
    ],
    reporters: ["default", "./test/support/closing-line.ts"],
    globalSetup: [
      // First, because what the others make is in its folder.
      "./test/run/folder.ts",
      "./test/support/prebuilt.ts",
      "./test/postgres/shared-server.ts",
      "./test/run/browser/shared-browser.ts",
    ],
    runner: "./test/run/needs-runner.ts",
    tags: NEEDED.map((name) => ({ name })),
    // Projects transform each module once between them, and later runs only the changed ones.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: fileURLToPath(
        new URL("node_modules/.cache/test-modules", import.meta.url),
      ),
    },
    // the condition "source" leads to TypeScript in the last two, which Node does not load from node_modules
    server: {
      deps: { inline: ["@modelcontextprotocol/client", "eventsource", "eventsource-parser"] },
    },
    pool: "forks",
    // Most tests wait for a process or a disk now and then: one worker more than cores keeps those busy.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Whatever this run is coloured by, the programs under test are not.
    // A proxy of this machine would receive the requests that tests intercept.
    env: { FORCE_COLOR: "0", http_proxy: "", https_proxy: "" },
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    expect: { poll: { timeout: WAIT_MS } },
    setupFiles: ["./test/support/fixed-seeds.ts"],
  },
});
