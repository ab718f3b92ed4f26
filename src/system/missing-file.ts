/** Whether `error` means that a file or folder does not exist. */
export function isMissingFile(error: unknown): boolean {
  return hasCode(error, "ENOENT");
}

/** Whether `error` means that the file already exists. */
export function isExistingFile(error: unknown): boolean {
  return hasCode(error, "EEXIST");
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
