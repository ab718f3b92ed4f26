import { mkdtemp, readFile, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { bundle, ROOT } from "../../src/packaging/bundle.ts";

/** Fields of `package.json` that name what programs can import, and what is installed with the package. */
interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

it("refers to its sources, which it does not contain, only by a condition of its own name", async () => {
  const manifest: Manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const conditions = Object.values(manifest.exports).flatMap((targets) =>
    typeof targets === "string" ? [] : Object.entries(targets),
  );

  // Other repositories use the condition "source" for their own packages, and would import the missing files.
  const missing = conditions.filter(([, path]) => !path.startsWith("./dist/"));
  expect(new Set(missing.map(([name]) => name))).toEqual(new Set(["answerback-source"]));
});

it("imports only packages that are installed with it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "answerback-packages-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const manifest: Manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const sources = Object.values(manifest.exports).flatMap((conditions) =>
    typeof conditions === "string" ? [] : Object.values(conditions).filter(isSource),
  );
  expect(sources).toHaveLength(5);

  const chunks = await bundle({
    folder,
    programs: sources.map((path) => path.slice("./".length, -".ts".length)),
    nameOf: (program) => program,
    partNames: "parts/[name]-[hash].js",
    addressOf: (path) => JSON.stringify(`file:///${path}`),
    importsPackages: true,
  });

  const ours = new Set(chunks.map(({ fileName }) => fileName));
  const imported = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !ours.has(name) && !isBuiltin(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  expect(imported).toContain("undici");
  expect(imported.filter((name) => !installed.includes(name))).toEqual([]);
});

const isSource = (path: string): boolean => path.endsWith(".ts") && !path.endsWith(".d.ts");
