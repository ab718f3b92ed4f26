/** Resolves with the first value of `probe` that is not undefined; asks again at every turn of the event loop. */
export async function when<T>(probe: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const value = await probe();
    if (value !== undefined) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
