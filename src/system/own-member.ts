/**
 * Returns a member that a table has itself. A word of a person or of a file may be the name of a member that every
 * object inherits, such as `constructor`.
 */
export function ownMember<Value>(
  table: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
