/** The first `most` items of a list that comes in pages; no page beyond them is asked for. */
export async function take<T>(items: AsyncIterable<T>, most: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= most) break;
  }
  return taken;
}
