/** Returns the id of the conversation of two people: their ids, the smaller first. */
export function conversationIdOf(one: string, other: string): string {
  const ordered = one.length === other.length ? one < other : one.length < other.length;
  return ordered ? `${one}-${other}` : `${other}-${one}`;
}
