import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** The system's number of the thread that calls this; only Linux has one that a process can find. */
export function systemThreadId(): number | undefined {
  try {
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Has a thread of this process run only while no other has anything to do.
 *
 * It stays so: only a privileged process may raise a priority again.
 */
export function putLast(systemId: number): void {
  try {
    setPriority(systemId, constants.priority.PRIORITY_LOW);
  } catch {
    // The thread has ended meanwhile, or the system does not allow it: it goes on as it was.
  }
}
