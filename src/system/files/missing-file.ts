import { errorCode } from "../error-code.ts";

/** Whether `error` means that a file or folder does not exist. */
export function isMissingFile(error: unknown): boolean {
  return errorCode(error) === "ENOENT";
}

/** Whether `error` means that the file already exists. */
export function isExistingFile(error: unknown): boolean {
  return errorCode(error) === "EEXIST";
}

/** Whether `error` means that a folder can't be removed because it has files. */
export function isFilledFolder(error: unknown): boolean {
  return errorCode(error) === "ENOTEMPTY";
}
