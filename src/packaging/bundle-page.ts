import { readdir, readFile } from "node:fs/promises";
import { rolldown } from "rolldown";
import type { PageAsset } from "../console/assets/page-assets.ts";
import { ROOT } from "./bundle.ts";

const FOLDER = `${ROOT}src/console/page/`;

/** Bundles the console's page for browsers: three entry programs, their lazily loaded chunks, and one style sheet. */
export async function bundlePage(): Promise<readonly PageAsset[]> {
  return (await bundlePageFrom()).assets;
}

/** Bundles the page like {@link bundlePage}, and returns its source files as well. */
export async function bundlePageFrom() {
  const bundled = await rolldown({
    cwd: ROOT,
    platform: "browser",
    input: {
      main: `${FOLDER}main.tsx`,
      live: `${FOLDER}live/shared-worker.ts`,
      "sign-in": `${FOLDER}session/sign-in.ts`,
    },
    resolve: { conditionNames: ["answerback-source", "browser", "import"] },
    transform: { target: "es2022" },
  });
  const { output } = await bundled.generate({
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    comments: { legal: false, annotation: false, jsdoc: false },
  });
  await bundled.close();
  const scripts = output.flatMap((file) =>
    file.type === "chunk" ? [{ name: file.fileName, body: Buffer.from(file.code) }] : [],
  );
  const style: PageAsset = { name: "style.css", body: Buffer.from(await styleSheet()) };
  const assets: readonly PageAsset[] = [...scripts, style];
  const from = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  return { assets, from };
}

/** All style sheets as one, in the order of their names. */
async function styleSheet(): Promise<string> {
  const folder = `${FOLDER}style/`;
  const names = (await readdir(folder)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(`${folder}${name}`, "utf8")));
  return texts.join("\n").replaceAll(/\/\*.*?\*\/|\s*\n\s*/gs, "");
}
