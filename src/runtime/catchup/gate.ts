import { settlesWithin } from "../loop/settles-within.ts";

/**
 * Keeps deliveries of an account back while older events of it are being read, so that a person's
 * next message does not overtake the one that was missed.
 */
export interface DeliveryGate {
  /**
   * Deliveries of `account` wait from now on, each for {@link HOLD_MS} at most. Once one has waited in vain,
   * those that come later go at once: what is read takes long, or nothing is read as the link is lost.
   *
   * @param at Milliseconds since the epoch: what happened up to then may have been missed.
   */
  close(account: string, at: number): void;
  /**
   * Lets deliveries of `account` go on, unless the gate was closed for something younger.
   *
   * @param upTo Milliseconds since the epoch up to which everything has been read; all of it unless given.
   */
  open(account: string, upTo?: number): void;
  /** Resolves when the delivery may go on. */
  pass(delivery: object): Promise<unknown> | undefined;
}

/** Real milliseconds; the platform waits three seconds for the answer to a delivery. */
export const HOLD_MS = 2_000;

export interface DeliveryGateNeeds {
  /** Called when a delivery waits: the platform reaches us. */
  readonly onKnock: (account: string) => void;
  /** Called when a delivery went on though the account's older events are not read yet. */
  readonly onLetThrough: (account: string) => void;
}

interface ClosedGate {
  readonly opened: Promise<void>;
  readonly open: () => void;
  /** Up to when events may have been missed, as of the last time that it was closed. */
  at: number;
  /** Whether a delivery waited for the whole time since it was closed last. */
  inVain: boolean;
}

/** A gate that is open for everybody. */
export function deliveryGate({ onKnock, onLetThrough }: DeliveryGateNeeds): DeliveryGate {
  const closed = new Map<string, ClosedGate>();
  return {
    close(account, at) {
      const known = closed.get(account);
      if (known !== undefined) {
        known.at = at;
        known.inVain = false;
        return;
      }
      let open = (): void => {};
      const opened = new Promise<void>((resolve) => (open = resolve));
      closed.set(account, { opened, open, at, inVain: false });
    },
    open(account, upTo = Infinity) {
      const gate = closed.get(account);
      if (gate === undefined || upTo < gate.at) return;
      gate.open();
      closed.delete(account);
    },
    pass(delivery) {
      if (closed.size === 0 || !("for_user_id" in delivery)) return undefined;
      const account = String(delivery.for_user_id);
      const gate = closed.get(account);
      if (gate === undefined) return undefined;
      onKnock(account);
      if (gate.inVain) {
        onLetThrough(account);
        return undefined;
      }
      return hold(gate, () => onLetThrough(account));
    },
  };
}

async function hold(gate: ClosedGate, onLetThrough: () => void): Promise<void> {
  if (await settlesWithin(HOLD_MS, gate.opened)) return;
  gate.inVain = true;
  onLetThrough();
}
