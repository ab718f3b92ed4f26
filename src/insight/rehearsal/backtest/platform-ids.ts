/**
 * Returns a substitute for the id that the platform would assign to the message or post of an outbox item. The id
 * depends only on the item's key, so both sets of rules get the same id for the same item.
 *
 * @param key Key of the item.
 */
export function idOnPlatform(key: string): string {
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (let index = 0; index < key.length; index += 1) {
    const code = key.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return `9${String(high >>> 0).padStart(10, "0")}${String(low >>> 0)
    .padStart(10, "0")
    .slice(0, 7)}`;
}
