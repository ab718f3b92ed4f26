import { signal } from "@preact/signals";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
}

const toasts = signal<readonly Toast[]>([]);
const SHOWN_MS = 6_000;
let last = 0;

/** Shows a message in the corner of the page for a few seconds: a result, or an error. */
export function toast(text: string, isBad = false): void {
  last += 1;
  const one = { id: last, text, isBad };
  toasts.value = [...toasts.value, one];
  setTimeout(() => (toasts.value = toasts.value.filter(({ id }) => id !== one.id)), SHOWN_MS);
}

/**
 * Waits for an operation, and shows its result or its error as a toast.
 *
 * @returns The result; undefined after an error.
 */
export async function notify<T>(
  doing: Promise<T>,
  done?: (value: T) => string,
): Promise<T | undefined> {
  try {
    const value = await doing;
    if (done !== undefined) toast(done(value));
    return value;
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), true);
    return undefined;
  }
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isBad }) => (
        <p key={id} class={isBad ? "toast bad" : "toast"}>
          {isBad && <strong>Refused: </strong>}
          {text}
        </p>
      ))}
    </div>
  );
}
