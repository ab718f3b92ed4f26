import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundlePageFrom } from "./bundle-page.ts";
import { bundleTypes } from "./bundle-types.ts";
import { bundle, ROOT, THREADS } from "./bundle.ts";
import { licencesOf } from "./licences.ts";

const DIST = join(ROOT, "dist");
/** Modules that the package exports. */
const ENTRIES = [
  "src/index",
  "src/client/index",
  "src/sandbox/index",
  "src/chat-sdk/index",
  "src/testing/index",
];
/** Modules that the bots' worker thread loads. The thread shares classes with the entries that bots import. */
const BOTS = ["src/bots/thread", "src/bots/loading/serve-modules", "src/bots/authoring"];

const inDist = (path: string): string => path.replace(/^src\//, "");
const COMMON = {
  folder: DIST,
  nameOf: inDist,
  banner: 'const DIST = import.meta.url.slice(0, import.meta.url.lastIndexOf("/dist/") + 6);',
  addressOf: (path: string) => `DIST + ${JSON.stringify(inDist(path).replace(/\.ts$/, ".js"))}`,
};

async function emitTypes(): Promise<void> {
  const require = createRequire(import.meta.url);
  const compiler = join(require.resolve("typescript-native/package.json"), "../bin/tsc");
  const emitted = await mkdtemp(join(tmpdir(), "answerback-types-"));
  try {
    const project = ["-p", join(ROOT, "tsconfig.build.json"), "--outDir", emitted];
    const args = [compiler, ...project, "--noCheck", "--singleThreaded"];
    await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    await bundleTypes({ emitted, folder: DIST, entries: ENTRIES.map(inDist) });
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}

/** Small modules that many commands use. They share one file, so that a command reads fewer files. */
const SMALL = [
  "src/actions/lookup",
  "src/cli/arguments/instant",
  "src/cli/arguments/one-of",
  "src/cli/help/late-words",
  "src/cli/output/clock-offset",
  "src/cli/output/format-time",
  "src/cli/output/text-as-written",
  "src/cli/target/first-items",
  "src/config/value-at",
  "src/events/handles",
  "src/events/lane",
  "src/events/read/delivery-accounts",
  "src/protocol/public-text/posting",
  "src/protocol/rename-keys",
  "src/rules/expression/seed",
  "src/system/time/settles-within",
  "src/runtime/runs/parallel/branch-owner",
  "src/runtime/store/errors",
  "src/runtime/store/operator-owner",
  "src/runtime/store/partition",
  "src/runtime/store/restored",
  "src/runtime/store/sqlite/backup/backup-names",
  "src/runtime/store/transition",
  "src/system/content-hash",
  "src/system/duration",
  "src/system/error-code",
  "src/system/files/created-folder",
  "src/system/files/own-file",
  "src/system/is-alive",
  "src/system/listen",
  "src/system/recent-items",
];

/** Bundles the modules that users' programs import. Most packages stay imports. */
async function bundleLibrary(): Promise<void> {
  const chunks = await bundle({
    ...COMMON,
    programs: [...ENTRIES, ...BOTS],
    partNames: "parts/[name]-[hash].js",
    isCompact: true,
    importsPackages: true,
    together: [
      {
        name: "written",
        modules: ["src/protocol/written-text", "src/protocol/public-text/written-range"],
      },
    ],
  });
  const licences = await licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds));
  await writeFile(join(DIST, "parts/LICENCES.txt"), licences);
}

/** Bundles the command line, and the worker threads that run only this package's code, with all packages. */
async function bundleCommandLine(): Promise<void> {
  const chunks = await bundle({
    ...COMMON,
    programs: ["src/cli/bin", ...THREADS],
    partNames: "cli/parts/[name]-[hash].js",
    isCompact: true,
    together: [
      { name: "front-page", modules: ["src/cli/main", "src/cli/io", "src/system/package-version"] },
      {
        name: "quick-commands",
        modules: [
          "src/cli/run-command",
          "src/cli/commands/bot/send",
          "src/cli/commands/bot/status",
        ],
      },
      { name: "small", modules: SMALL },
    ],
  });
  const licences = await licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds));
  await writeFile(join(DIST, "cli/LICENCES.txt"), licences);
}

async function bundleConsole(): Promise<void> {
  await mkdir(join(DIST, "console/page"), { recursive: true });
  const { assets, from } = await bundlePageFrom();
  for (const { name, body } of assets) await writeFile(join(DIST, "console/page", name), body);
  await writeFile(join(DIST, "console/LICENCES.txt"), await licencesOf(from));
}

// Deletes the output of earlier builds, so that the package contains only this build's files.
await rm(DIST, { recursive: true, force: true });
await emitTypes();
await Promise.all([bundleLibrary(), bundleCommandLine(), bundleConsole()]);
