import { rename } from "node:fs/promises";
import { exists } from "../arguments/settings-flags.ts";

/**
 * Renames a folder so that a new one can take its place.
 *
 * @param now Milliseconds since the epoch; part of the new name.
 * @returns The new name; undefined when the folder did not exist.
 */
export async function moveAside(folder: string, now: number): Promise<string | undefined> {
  if (!(await exists(folder, "."))) return undefined;
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(":", "");
  for (let again = 1; ; again += 1) {
    const aside = `${folder}.${stamp}${again === 1 ? "" : `-${again}`}`;
    if (await exists(aside, ".")) continue;
    await rename(folder, aside);
    return aside;
  }
}
