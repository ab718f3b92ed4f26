import { readFileSync } from "node:fs";

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

let cachedManifest: Manifest | undefined;

/** Returns this package's own `package.json`. Its shape is not checked, because it comes with the code. */
export function packageManifest(): Manifest {
  if (cachedManifest !== undefined) return cachedManifest;
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const read: Manifest = JSON.parse(text);
  cachedManifest = read;
  return read;
}

/** The version of this package. */
export function packageVersion(): string {
  return packageManifest().version;
}
