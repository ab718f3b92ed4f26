/** The platform is not asked now: a limit is used up, or it does not answer anyway. */
export class NotAskedError extends Error {
  override readonly name = "NotAskedError";
}
