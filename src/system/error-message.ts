/**
 * Message of any thrown value: an error's message, or the value as text. Node's error for a connection that failed at
 * several addresses has no message of its own: then the messages of its parts.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isEmpty = error instanceof AggregateError && error.message === "";
  return isEmpty ? error.errors.map(messageOf).join("; ") : error.message;
}
