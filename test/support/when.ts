/** Real `setTimeout`, even if a test replaces the global one by a fake timer. */
const { setTimeout: after } = globalThis;

/** Longest pause between two calls of a probe, in milliseconds: it leaves the processor to the work that is awaited. */
const MAX_PAUSE_MS = 30;

/** Anything but `false`, `undefined` and promises. */
export type Found = string | number | bigint | true | null | (object & { readonly then?: never });

/**
 * Resolves with the first value of `probe` that is not undefined. Pauses 1, 2, 3 … 30 ms between its calls. The type
 * refuses a probe that returns `false`, which would end the wait.
 */
export async function when<T extends Found>(
  probe: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  for (let probes = 0; ; probes += 1) {
    const value = await probe();
    if (value !== undefined) return value;
    await new Promise((resolve) => after(resolve, Math.min(probes, MAX_PAUSE_MS)));
  }
}
