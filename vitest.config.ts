import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";
import LongestFirst from "./test/support/longest-first.ts";

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

/** What leaves nothing behind in its process, so that many files can be tested in one: each loads what others have. */
const TOGETHER = [
  "test/{actions,client,cli,config,console,docs,events,house,interface,protocol,rehearsal,rule-tests,rules,simulation,system,testing,text,traces}/**/*.test.ts",
  "test/runtime/{accounts,catchup,clock,control,journal,loop,outages,outbox,platform,polling,reload,requests,roles,runs,schedule,store,telemetry,webhook,webhook-link}/**/*.test.ts",
  "test/sandbox/{accounts,activity,activity-interface,ads,apps,auth,control,data-query,filtered-stream,foreign,kernel,legacy,lists,login,media,messages,places,polls,posts,search,spaces,webhooks}/**/*.test.ts",
];

export default defineConfig({
  plugins: [prebuilt],
  resolve: {
    conditions: ["source", "node", "default"],
    // examples are projects of their own, in which nothing is installed here
    alias: [
      {
        find: /^answerback$/,
        replacement: fileURLToPath(new URL("src/index.ts", import.meta.url)),
      },
    ],
  },
  ssr: { resolve: { conditions: ["source", "node", "default"] } },
  test: {
    projects: [
      { extends: true, test: { name: "together", include: TOGETHER, isolate: false } },
      {
        extends: true,
        test: { name: "apart", include: ["test/**/*.test.ts"], exclude: TOGETHER },
      },
    ],
    reporters: ["default", "./test/support/closing-line.ts"],
    globalSetup: ["./test/support/prebuilt.ts", "./test/postgres/shared-server.ts"],
    pool: "forks",
    // Most tests wait for a sandbox or a disk: a worker for each core keeps the suite short.
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    // Whatever this run is coloured by, the programs under test are not.
    env: { FORCE_COLOR: "0" },
    testTimeout: 30_000,
    // A busy machine takes its time.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
  },
});
