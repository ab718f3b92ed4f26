/** Whether `error` means that a file or folder does not exist. */
export function isMissingFile(error: unknown): boolean {
  return hasCode(error, "ENOENT");
}

/** Whether `error` means that the file already exists. */
export function isExistingFile(error: unknown): boolean {
  return hasCode(error, "EEXIST");
}

/** Whether `error` means that a folder can't be removed because it has files. */
export function isFilledFolder(error: unknown): boolean {
  return hasCode(error, "ENOTEMPTY");
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
