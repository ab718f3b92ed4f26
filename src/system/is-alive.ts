import { errorCode } from "./error-code.ts";

/** Whether a process with this id runs, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user, so that this one may not signal it.
    return errorCode(error) === "EPERM";
  }
}
