import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** The operating system's id of the current thread; only Linux reports it. */
export function systemThreadId(): number | undefined {
  try {
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Lowers a thread's priority, so that it runs only if no other thread is ready.
 *
 * This is permanent: only a privileged process may raise a priority again.
 */
export function putLast(systemId: number): void {
  try {
    setPriority(systemId, constants.priority.PRIORITY_LOW);
  } catch {
    // The thread has ended, or the system does not allow it: its priority stays unchanged.
  }
}
