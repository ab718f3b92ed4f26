import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type StoreOptions } from "../../../src/runtime/store/open.ts";
import type { Store } from "../../../src/runtime/store/store.ts";

/** Creates a new folder for a store on disk. */
export async function folderPlace(options: StoreOptions = {}): Promise<{
  readonly folder: string;
  open(more?: StoreOptions): Promise<Store>;
  remove(): Promise<void>;
}> {
  const parent = await mkdtemp(join(tmpdir(), "answerback-store-"));
  const folder = join(parent, "data");
  return {
    folder,
    open: (more = {}) => openStore(`file:${folder}`, { ...options, ...more }),
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}
