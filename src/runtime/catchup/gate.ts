import { settlesWithin } from "../loop/settles-within.ts";

/**
 * Holds deliveries of an account back while older events of it are being read, so that a person's next message does not
 * overtake a missed one.
 */
export interface DeliveryGate {
  /**
   * Holds deliveries of `account` back, each for {@link HOLD_MS} at most. Once one delivery has waited for the whole time,
   * later ones pass at once: the reading takes long, or it cannot start because the link is lost.
   *
   * @param at Milliseconds since the epoch: events up to this time may have been missed.
   */
  close(account: string, at: number): void;
  /**
   * Lets deliveries of `account` pass, unless the gate was closed for a later time.
   *
   * @param upTo Milliseconds since the epoch up to which everything has been read; absent: everything.
   */
  open(account: string, upTo?: number): void;
  /** Resolves when the delivery may pass. */
  pass(delivery: object): Promise<unknown> | undefined;
}

/** Longest wait in real milliseconds; the platform waits three seconds for the answer to a delivery. */
export const HOLD_MS = 2_000;

export interface DeliveryGateNeeds {
  /** Called when a delivery waits, which proves that the platform reaches us. */
  readonly onKnock: (account: string) => void;
  /** Called when a delivery passed before the account's older events were read. */
  readonly onLetThrough: (account: string) => void;
}

interface ClosedGate {
  readonly opened: Promise<void>;
  readonly open: () => void;
  /** Time up to which events may have been missed, as of the last call of `close`. */
  at: number;
  /** Whether a delivery waited for the whole time since the last call of `close`. */
  inVain: boolean;
}

/** Creates a gate that is open for all accounts. */
export function deliveryGate({ onKnock, onLetThrough }: DeliveryGateNeeds): DeliveryGate {
  const closed = new Map<string, ClosedGate>();
  return {
    close(account, at) {
      const entry = closed.get(account);
      if (entry !== undefined) {
        entry.at = at;
        entry.inVain = false;
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
