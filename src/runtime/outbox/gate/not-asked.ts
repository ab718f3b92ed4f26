/** A read of the platform was not sent: a limit is used up, or the platform does not answer anyway. */
export class NotAskedError extends Error {
  override readonly name = "NotAskedError";
}
