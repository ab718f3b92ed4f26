import type { Loader, TransformOptions } from "esbuild";
import { extname } from "node:path";

const LOADERS: Readonly<Record<string, Loader>> = {
  ".ts": "ts",
  ".mts": "ts",
  ".tsx": "tsx",
  ".jsx": "jsx",
  ".json": "json",
};

/** Returns the compiler options for a module, for the running version of Node. */
export function moduleOptions(path: string): TransformOptions {
  return {
    loader: LOADERS[extname(path)] ?? "js",
    format: "esm",
    platform: "node",
    target: `node${process.versions.node}`,
    sourcefile: path,
    sourcemap: "inline",
    // Node reads the source file itself when it prints lines of it with an error.
    sourcesContent: false,
  };
}
