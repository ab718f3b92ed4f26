/** Whether a process with this id runs, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user runs, but may not be signalled.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
