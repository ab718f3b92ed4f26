import { isSettled } from "../../runtime/records.ts";
import type { RuntimeConnection } from "../../runtime/vocabulary.ts";
import { pause } from "../../system/time/pause.ts";
import type { OutboxLine } from "./course.ts";

/** Poll interval in milliseconds: short at first, since most answers are sent at once, then doubled up to a limit. */
const FIRST_LOOK_MS = 10;
const LOOK_EVERY_MS = 80;

/**
 * Waits until an operator's manual answer is sent or has failed.
 *
 * @param seq Journal number of the answer.
 * @returns The latest state of the answer's outbox item; undefined if the answer is not queued yet.
 */
export async function itemOfAnswer(
  runtime: RuntimeConnection,
  seq: number,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<OutboxLine | undefined> {
  const deadline = Date.now() + waitMs;
  for (let lookAgainMs = FIRST_LOOK_MS; ; lookAgainMs = Math.min(lookAgainMs * 2, LOOK_EVERY_MS)) {
    const [item] = (await runtime.call("outbox", { seq, limit: 1 })) ?? [];
    const remainingMs = deadline - Date.now();
    if (item !== undefined && isSettled(item.status)) return item;
    if (remainingMs <= 0 || signal.aborted) return item;
    await pause(Math.min(lookAgainMs, remainingMs), signal);
  }
}
