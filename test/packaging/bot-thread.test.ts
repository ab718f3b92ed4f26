import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../src/packaging/bundle.ts";

const THREAD = "src/bots/thread";

it("starts a thread for bots from a few files, without loading a package", async () => {
  const folder = await mkdtemp(join(tmpdir(), "answerback-thread-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));

  const chunks = await bundle({
    folder,
    programs: [THREAD, "src/bots/authoring"],
    nameOf: (program) => program,
    partNames: "parts/[name]-[hash].js",
    addressOf: (path) => JSON.stringify(`file:///${path}`),
    importsPackages: true,
  });

  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set([`${THREAD}.js`]);
  for (const name of loaded) for (const one of byName.get(name)?.imports ?? []) loaded.add(one);
  const packages = [...loaded].filter((one) => !byName.has(one) && !one.startsWith("node:"));
  expect(packages).toEqual([]);
  expect(loaded.size - packages.length).toBeGreaterThan(2);
});
