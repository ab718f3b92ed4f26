/**
 * Returns the partition of a lane: an FNV-1a hash of its UTF-16 units, so that all stores and processes agree.
 *
 * @param partitions Number of partitions, 1 or more.
 * @returns 0 to `partitions - 1`.
 */
export function partitionOf(lane: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < lane.length; at++) {
    hash = Math.imul(hash ^ lane.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % partitions;
}

/** Returns the id of the account to which a lane belongs. */
export function accountOf(lane: string): string {
  return lane.slice(0, lane.indexOf("/"));
}
