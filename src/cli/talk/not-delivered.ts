import { durationText } from "../../text/duration-text.ts";
import type { ClockReading, PendingDelivery } from "../../sandbox/control/objects.ts";
import { counted } from "../../text/counted.ts";
import { shell } from "../../text/shell.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import type { SaidToBot } from "./speaker.ts";

/** Deliveries that the sandbox will retry, and the sandbox's clock. */
export interface PendingDeliveries {
  readonly deliveries: readonly PendingDelivery[];
  readonly clock: Pick<ClockReading, "now" | "frozen">;
}

/** Reads the pending deliveries of a sandbox. The live platform does not report them. */
export async function pendingDeliveries(sandbox: LocalSandbox): Promise<PendingDeliveries> {
  const [deliveries, clock] = await Promise.all([sandbox.pendingDeliveries(), sandbox.clock()]);
  return { deliveries, clock };
}

/** Sentence about pending deliveries of a person's events; undefined if there are none. Pure. */
export function pendingOf(
  person: string,
  { deliveries, clock }: PendingDeliveries,
): string | undefined {
  const pending = deliveries.find(({ by }) => by === person);
  return pending && pendingInWords(pending, clock);
}

/**
 * Sentence about an input whose event the sandbox has not delivered, without a full stop; undefined if it is not
 * pending. Pure.
 */
export function notDeliveredInWords(
  { account, person, kind, keyBegins }: SaidToBot,
  { deliveries, clock }: PendingDeliveries,
): string | undefined {
  const pending = deliveries.find(({ for_user_id, by, ref, kind: happened }) => {
    if (for_user_id !== account || by !== person) return false;
    return kind === "follow" ? happened === "follow" : keyBegins === `${happened}:${ref}`;
  });
  return pending && pendingInWords(pending, clock);
}

function pendingInWords(pending: PendingDelivery, clock: PendingDeliveries["clock"]): string {
  const { wait, command } = retryInWords(pending, clock);
  const what =
    pending.attempts > 0
      ? `the bot refused it or was away, and the platform retries ${wait}`
      : `the platform first retries an earlier event of this person, ${wait}`;
  return `not delivered yet: ${what}; have it at once with: ${command}`;
}

/** Line of `status` with the number of pending deliveries and the first retry; undefined if there are none. Pure. */
export function pendingLine({ deliveries, clock }: PendingDeliveries): string | undefined {
  const [first] = deliveries.toSorted((one, other) => retryTime(one) - retryTime(other));
  if (first === undefined) return undefined;
  const { wait, command } = retryInWords(first, clock);
  const count = counted(deliveries.length, "event");
  return `${count} not delivered yet, first retry by the platform ${wait}; at once with: ${command}`;
}

function retryInWords(pending: PendingDelivery, clock: PendingDeliveries["clock"]) {
  const seconds = Math.max(1, Math.ceil((retryTime(pending) - Date.parse(clock.now)) / 1_000));
  const time = durationText(seconds * 1_000);
  return {
    wait: clock.frozen ? `in ${time} of the sandbox's clock, which is paused` : `in ${time}`,
    command: shell`answerback clock +${seconds}s`,
  };
}

function retryTime({ retry_at: at }: PendingDelivery): number {
  return Date.parse(at);
}
