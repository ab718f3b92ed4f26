import { mkdir, rm, writeFile } from "node:fs/promises";
import { bundlePageFrom } from "./bundle-page.ts";
import { bundle, ROOT, THREADS } from "./bundle.ts";
import { licencesOf } from "./licences.ts";

/**
 * Bundles the command line and what it starts, over what the compiler has put into `dist`. The rest of it stays as
 * it is, for who imports the package; so does the thread of bots, which import it.
 */
await rm("dist/cli", { recursive: true });
const chunks = await bundle({
  programs: ["src/cli/bin", ...THREADS],
  folder: `${ROOT}dist`,
  nameOf: (program) => program.replace(/^src\//, ""),
  partNames: "cli/parts/[name]-[hash].js",
  together: [
    { name: "front-page", modules: ["src/cli/main", "src/cli/io", "src/system/package-version"] },
    {
      name: "quick-commands",
      modules: ["src/cli/run-command", "src/cli/commands/bot/send", "src/cli/commands/bot/status"],
    },
  ],
  banner: 'const DIST = import.meta.url.slice(0, import.meta.url.lastIndexOf("/dist/") + 6);',
  addressOf: (path) =>
    `DIST + ${JSON.stringify(path.replace(/^src\//, "").replace(/\.ts$/, ".js"))}`,
});
await writeFile(
  "dist/cli/LICENCES.txt",
  await licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds)),
);

await mkdir("dist/console/page", { recursive: true });
const page = await bundlePageFrom();
for (const { name, body } of page.assets) await writeFile(`dist/console/page/${name}`, body);
await writeFile("dist/console/LICENCES.txt", await licencesOf(page.from));
