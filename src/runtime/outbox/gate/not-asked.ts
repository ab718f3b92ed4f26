/** A read of the platform was not sent, because a limit is used up or the platform does not respond. */
export class NotAskedError extends Error {
  override readonly name = "NotAskedError";
}
