import type { Loader, TransformOptions } from "esbuild";
import { extname } from "node:path";

const LOADERS: Readonly<Record<string, Loader>> = {
  ".ts": "ts",
  ".mts": "ts",
  ".tsx": "tsx",
  ".jsx": "jsx",
  ".json": "json",
};

/** Options for compiling one module for the running Node. */
export function moduleOptions(path: string): TransformOptions {
  return {
    loader: LOADERS[extname(path)] ?? "js",
    format: "esm",
    platform: "node",
    target: `node${process.versions.node}`,
    sourcefile: path,
    sourcemap: "inline",
    // Node reads the source file itself when it shows lines of it in an error.
    sourcesContent: false,
  };
}
