import { rm, writeFile } from "node:fs/promises";
import { bundle, THREADS } from "./bundle.ts";
import { licencesOf } from "./licences.ts";

/**
 * Bundles the command line and what it starts, over what the compiler has put into `dist`. The rest of it stays as
 * it is, for who imports the package; so does the thread of bots, which import it.
 */
await rm("dist/cli", { recursive: true });
const { inputs, outputs } = await bundle({
  programs: ["src/cli/bin", ...THREADS],
  outdir: "dist",
  outbase: "src",
  splitting: true,
  chunkNames: "cli/parts/[name]-[hash]",
  minifySyntax: true,
  banner: 'const DIST = import.meta.url.slice(0, import.meta.url.lastIndexOf("/dist/") + 6);',
  addressOf: (path) =>
    `DIST + ${JSON.stringify(path.replace(/^src\//, "").replace(/\.ts$/, ".js"))}`,
});
await writeFile("dist/cli/LICENCES.txt", await licencesOf(Object.keys(inputs)));

for (const { entryPoint = "", exports } of Object.values(outputs)) {
  if (entryPoint.includes("node_modules/") && exports.every((name) => name === "default")) {
    throw new Error(`${entryPoint} is CommonJS and has no names where import() loads it bundled: \
have a module of ours import it, and load that`);
  }
}
