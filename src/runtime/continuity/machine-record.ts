import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../system/files/created-folder.ts";
import { replaceFile } from "../../system/files/own-file.ts";
import { type Mark, readMark } from "./history.ts";

/** Latest mark of a store, recorded in a folder that is not copied or restored together with the store. */
export interface MachineRecord {
  /** Reads the mark; undefined if this machine has none, or the record can't be read. */
  read(): Promise<Mark | undefined>;
  /** Writes the mark. Rejects if the folder can't be written. */
  write(mark: Mark): Promise<void>;
}

/** Returns the record of a store on this machine. @param folder Folder of this machine's state; see `stateFolder`. */
export function machineRecord(folder: string, storeId: string): MachineRecord {
  const file = join(folder, "stores", `${storeId}.json`);
  return {
    async read() {
      // A power cut may have left half of the file, which counts as no record.
      return readFile(file, "utf8")
        .then(readMark)
        .catch(() => undefined);
    },
    async write(mark) {
      makeFolder(dirname(file), 0o700);
      await replaceFile(file, JSON.stringify(mark));
    },
  };
}
