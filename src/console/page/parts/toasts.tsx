import { signal } from "@preact/signals";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
}

const toasts = signal<readonly Toast[]>([]);
const SHOWN_MS = 6_000;
let last = 0;

/** Shows a message in the corner of the page: a result for a few seconds, an error until it is dismissed. */
export function toast(text: string, isBad = false): void {
  last += 1;
  const one = { id: last, text, isBad };
  const others = toasts.value.filter((shown) => !isBad || !shown.isBad || shown.text !== text);
  toasts.value = [...others, one];
  // WCAG 2.2.1: a person may need longer than some seconds to read what was refused.
  if (!isBad) setTimeout(() => dismiss(one.id), SHOWN_MS);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((shown) => shown.id !== id);
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
    <div class="toasts" role="status" aria-live="polite" aria-atomic="false">
      {toasts.value.map(({ id, text, isBad }) => (
        <p key={id} class={isBad ? "toast bad" : "toast"}>
          {isBad && <strong>Error: </strong>}
          {text}{" "}
          {isBad && (
            <button type="button" class="quiet" onClick={() => dismiss(id)}>
              Dismiss
            </button>
          )}
        </p>
      ))}
    </div>
  );
}
