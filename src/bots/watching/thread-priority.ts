import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** Returns the id that the operating system gives the current thread; only Linux reports it. */
export function systemThreadId(): number | undefined {
  try {
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Lowers the priority of a thread, so that it runs only when no other thread is ready.
 *
 * This can't be undone: only a privileged process may raise a priority again.
 */
export function putLast(systemId: number): void {
  try {
    setPriority(systemId, constants.priority.PRIORITY_LOW);
  } catch {
    // The thread has ended, or the system does not allow the change: its priority stays unchanged.
  }
}
