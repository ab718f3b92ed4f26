import { rename } from "node:fs/promises";
import { has } from "../settings-flags.ts";

/**
 * Moves a folder out of the way, keeping everything in it.
 *
 * @param now Milliseconds since the epoch; part of the new name.
 * @returns where it is now; undefined when there was none.
 */
export async function moveAside(folder: string, now: number): Promise<string | undefined> {
  if (!(await has(folder, "."))) return undefined;
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(":", "");
  for (let again = 1; ; again += 1) {
    const aside = `${folder}.${stamp}${again === 1 ? "" : `-${again}`}`;
    if (await has(aside, ".")) continue;
    await rename(folder, aside);
    return aside;
  }
}
