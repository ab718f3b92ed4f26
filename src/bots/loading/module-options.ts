import type { Loader, TransformOptions } from "esbuild";
import { extname } from "node:path";

const LOADERS: Readonly<Record<string, Loader>> = {
  ".ts": "ts",
  ".mts": "ts",
  ".tsx": "tsx",
  ".jsx": "jsx",
  ".json": "json",
};

/** Returns esbuild's options for compiling a module for the running version of Node. */
export function moduleOptions(path: string): TransformOptions {
  return {
    loader: LOADERS[extname(path)] ?? "js",
    format: "esm",
    platform: "node",
    target: `node${process.versions.node}`,
    sourcefile: path,
    sourcemap: "inline",
    // The source text is not copied into the source map: Node reads the file itself to print the line of an error.
    sourcesContent: false,
  };
}
