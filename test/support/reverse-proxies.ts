import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Reverse proxies for which the project ships a configuration. */
export type ReverseProxy = "caddy" | "nginx";

/** Folder with the unpacked Debian packages of the proxies, if they are not installed; see `test/README.md`. */
const UNPACKED = fileURLToPath(new URL("../../node_modules/.cache/proxies", import.meta.url));

/** Returns the path of the proxy's program: an installed one, else an unpacked one; undefined if there is neither. */
export async function programOfProxy(name: ReverseProxy): Promise<string | undefined> {
  const installed = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const unpacked = ["usr/sbin", "usr/bin"].map((folder) => join(UNPACKED, folder));
  for (const folder of [...installed, "/usr/sbin", ...unpacked]) {
    const program = join(folder, name);
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return undefined;
}
