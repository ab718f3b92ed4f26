import writeFileAtomic from "write-file-atomic";

/**
 * Replaces a file as a whole: whoever reads meanwhile gets the old text or the new one.
 *
 * The text is synced to disk before it takes the file's name.
 *
 * @param mode Permission bits of the new file; its owner's only unless said.
 */
export async function replaceFile(file: string, text: string, mode = 0o600): Promise<void> {
  await writeFileAtomic(file, text, { mode });
}

/** The same at once, for what is written while the process ends. */
export function replaceFileSync(file: string, text: string, mode = 0o600): void {
  writeFileAtomic.sync(file, text, { mode });
}
