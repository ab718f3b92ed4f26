/** Returns the first `limit` items of a paged list. Further pages are not requested. */
export async function firstItems<T>(items: AsyncIterable<T>, limit: number): Promise<T[]> {
  const first: T[] = [];
  for await (const item of items) {
    first.push(item);
    if (first.length >= limit) break;
  }
  return first;
}
